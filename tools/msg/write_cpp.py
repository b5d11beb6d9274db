"""Writes plain C++ structs and their codecs."""

from msg.model import INTEGERS, REALS, least_size, snake

KEYWORDS = set("""alignas alignof and asm auto bool break case catch char class concept const continue
    default delete do double else enum explicit export extern false float for friend goto if inline int
    long mutable namespace new noexcept not nullptr operator or private protected public register
    requires return short signed sizeof static struct switch template this throw true try typedef typeid
    typename union unsigned using virtual void volatile while xor""".split())


def member(name):
    return name + "_" if name in KEYWORDS else name


def element_type(type_):
    if type_.is_message:
        package, name = type_.base.split("/")
        return f"msg::{package}::{name}"
    return {"bool": "bool", "string": "std::string"}.get(type_.base) or {**INTEGERS, **REALS}[type_.base][0]


def cpp_type(type_):
    element = element_type(type_)
    if type_.array == "fixed":
        return f"std::array<{element}, {type_.size}>"
    return f"std::vector<{element}>" if type_.array else element


def quoted(text):
    escapes = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t"}
    return '"' + "".join(escapes.get(c, c) for c in text) + '"'


def literal(value, base):
    if base == "string":
        return quoted(value)
    if base == "bool":
        return "true" if value else "false"
    if base in REALS:
        return repr(value) + ("F" if base == "float32" else "")
    if value == -(2**63):
        return "(-9223372036854775807 - 1)"
    return str(value) + ("U" if value >= 2**63 else "")


def initial(part):
    if isinstance(part.default, list):
        return "{" + ", ".join(literal(v, part.type.base) for v in part.default) + "}"
    if part.default is not None:
        return " = " + literal(part.default, part.type.base)
    if part.type.array == "fixed":
        return "{}"
    if part.type.array or part.type.is_message or part.type.base == "string":
        return ""
    return " = false" if part.type.base == "bool" else " = 0"


def header(message, messages):
    used = sorted({f.type.base for f in message.fields if f.type.is_message})
    includes = [f'#include "msg/{base.split("/")[0]}/{snake(base.split("/")[1])}.hpp"' for base in used]
    standard = ["<cstddef>", "<cstdint>", "<string_view>"]
    standard += ["<array>"] * any(f.type.array == "fixed" for f in message.fields)
    standard += ["<string>"] * any(f.type.base == "string" for f in message.fields)
    standard += ["<vector>"] * any(f.type.array in ("bounded", "unbounded") for f in message.fields)
    lines = [f"// Made by tools/msg_to_cpp.py of {message.type_name}.", "#pragma once", ""]
    lines += [f"#include {name}" for name in sorted(standard)]
    lines += ["", *includes, '#include "wire/cdr.hpp"', "", f"namespace caribou::msg::{message.package} {{", ""]
    lines += [f"struct {message.name} {{"]
    for part in message.constants:
        type_ = "std::string_view" if part.type.base == "string" else element_type(part.type)
        lines.append(f"    static constexpr {type_} {part.name} = {literal(part.value, part.type.base)};")
    for part in message.fields:
        lines.append(f"    {cpp_type(part.type)} {member(part.name)}{initial(part)};")
    whole = f"msg::{message.package}::{message.name}"
    least = max(1, sum(least_size(f.type, messages) for f in message.fields))
    lines += [
        "", f"    friend bool operator==(const {message.name}&, const {message.name}&) = default;", "};", "",
        f"}}  // namespace caribou::msg::{message.package}", "", "namespace caribou::wire {", "",
        "template <>", f"struct MessageCodec<{whole}> {{",
        f'    static constexpr std::string_view type_name = "{message.type_name}";',
        f"    static constexpr std::size_t least_size = {least};",
        f"    static void write(CdrWriter& to, const {whole}& message);",
        f"    static Result<{whole}> read(CdrReader& from);",
        "    /// For messages that contain it; after a fault, what the reader's outcome() says.",
        f"    static void fill(CdrReader& from, {whole}& message);", "};", "", "}  // namespace caribou::wire", ""]
    return "\n".join(lines)


def put_one(type_, value):
    if type_.is_message:
        return f"MessageCodec<{element_type(type_)}>::write(to, {value});"
    if type_.base == "string":
        bound = f'check({value}.size() <= {type_.text_bound}, "a text within its bound"); ' if type_.text_bound else ""
        return f"{bound}to.put(std::string_view({value}));"
    return f"to.put({value});"


def write_field(part):
    name = f"message.{member(part.name)}"
    type_, one = part.type, part.type.element
    lines = []
    if not type_.array:
        return [put_one(one, name)]
    if type_.array != "fixed":
        if type_.array == "bounded":
            lines.append(f'check({name}.size() <= {type_.size}, "a sequence within its bound");')
        lines.append(f"to.put_count({name}.size());")
    if one.is_message or one.base in ("string", "bool"):
        element = "const bool" if one.base == "bool" else "const auto&"
        return [*lines, f"for ({element} element : {name}) {put_braced(put_one(one, 'element'))}"]
    return [*lines, f"to.put_all(std::span<const {element_type(one)}>({name}));"]


def put_braced(code):
    return f"{{ {code} }}" if code.count(";") > 1 else code


def take_one(type_, value):
    if type_.is_message:
        return f"MessageCodec<{element_type(type_)}>::fill(from, {value});"
    if type_.base == "string":
        bound = (f' if ({value}.size() > {type_.text_bound}) '
                 f'from.refuse("a text of more than {type_.text_bound} bytes");') if type_.text_bound else ""
        return f"{value} = from.take_string();{bound}"
    return f"{value} = from.take<{element_type(type_)}>();"


def read_field(part, messages):
    name = f"message.{member(part.name)}"
    type_, one = part.type, part.type.element
    if not type_.array:
        return [take_one(one, name)]
    bound = f", {type_.size}" if type_.array == "bounded" else ""
    if not one.is_message and one.base not in ("string", "bool"):
        if type_.array == "fixed":
            return [f"from.take_all(std::span<{element_type(one)}>({name}));"]
        return [f"from.take_sequence({name}{bound});"]
    lines = []
    if type_.array != "fixed":
        lines.append(f"{name}.resize(from.take_count({least_size(one, messages)}{bound}));")
    # The elements of a vector<bool> are proxies.
    element = "auto&& element" if one.base == "bool" else "auto& element"
    return [*lines, f"for ({element} : {name}) {put_braced(take_one(one, 'element'))}"]


def source(package, own, messages):
    lines = [f"// Made by tools/msg_to_cpp.py of the messages of {package}."]
    lines += [f'#include "msg/{package}/{snake(m.name)}.hpp"' for m in own]
    lines += ["", "#include <span>", "", '#include "base/check.hpp"', "", "namespace caribou::wire {", ""]
    for message in own:
        whole = f"msg::{package}::{message.name}"
        codec = f"MessageCodec<{whole}>"
        put = [line for part in message.fields for line in write_field(part)] or ["to.put(std::uint8_t{0});"]
        take = [line for part in message.fields for line in read_field(part, messages)] or ["from.take<std::uint8_t>();"]
        unused = "" if message.fields else "[[maybe_unused]] "
        lines += [f"void {codec}::write(CdrWriter& to, {unused}const {whole}& message) {{"]
        lines += [f"    {line}" for line in put]
        lines += ["}", "", f"void {codec}::fill(CdrReader& from, {unused}{whole}& message) {{"]
        lines += [f"    {line}" for line in take]
        lines += ["}", "", f"Result<{whole}> {codec}::read(CdrReader& from) {{", f"    Result<{whole}> message;",
                  "    fill(from, *message);",
                  "    if (auto outcome = from.outcome(); !outcome) message = fail(std::move(outcome.error()));",
                  "    return message;", "}", ""]
    lines += ["}  // namespace caribou::wire", ""]
    return "\n".join(lines)
