"""Writes the table of all messages, for programs that learn the name of a type at run time, and a list of their C++
types."""

from msg.model import least_size, snake
from msg.write_cpp import quoted

KINDS = {"byte": "uint8", "char": "uint8", "string": "text", "bool": "boolean"}


def field_row(part, position):
    type_ = part.type
    kind = "message" if type_.is_message else KINDS.get(type_.base, type_.base)
    nested = f"&schemas[{position[type_.base]}]" if type_.is_message else "nullptr"
    initial = part.default if isinstance(part.default, (bool, int, float)) else 0
    return (f"    {{{quoted(part.name)}, FieldKind::{kind}, ArrayKind::{type_.array or 'none'}, "
            f"{type_.size or 0}, {type_.text_bound or 0}, {nested}, {float(initial)!r}}},")


def source(ordered):
    messages = {m.key: m for m in ordered}
    position = {m.key: number for number, m in enumerate(ordered)}
    lines = ["// Made by tools/msg_to_cpp.py: the table behind src/msg/schema.hpp.", '#include "msg/schema.hpp"', "",
             "namespace caribou::msg {", f"extern const MessageSchema schemas[{len(ordered)}];", "namespace {", ""]
    for message in ordered:
        if message.fields:
            lines.append(f"constexpr FieldSchema fields_{position[message.key]}[] = {{  // {message.type_name}")
            lines += [field_row(part, position) for part in message.fields]
            lines.append("};")
    lines += ["", "}  // namespace", "", f"constinit const MessageSchema schemas[{len(ordered)}] = {{"]
    for message in ordered:
        least = max(1, sum(least_size(f.type, messages) for f in message.fields))
        fields = f"fields_{position[message.key]}" if message.fields else "{}"
        lines.append(f"    {{{quoted(message.type_name)}, {fields}, {least}}},")
    lines += ["};", "", "std::span<const MessageSchema> known_schemas() { return schemas; }", "",
              "}  // namespace caribou::msg", ""]
    return "\n".join(lines)


def list_of_types(ordered):
    lines = ["// Made by tools/msg_to_cpp.py: the C++ types of all messages.", "#pragma once", ""]
    lines += sorted(f'#include "msg/{m.package}/{snake(m.name)}.hpp"' for m in ordered)
    names = sorted(f"{m.package}::{m.name}" for m in ordered)
    lines += ["", "namespace caribou::msg {", "", "template <template <class...> class List>", "using AllMessages = List<"]
    lines += [f"    {name}," for name in names[:-1]] + [f"    {names[-1]}>;"]
    lines += ["", "}  // namespace caribou::msg", ""]
    return "\n".join(lines)
