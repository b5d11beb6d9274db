"""Writes the codec of the fields that were added to a message after its first encoding was frozen (`@since`).

The block of a struct is its size in two bytes, then the blocks of the structs that it contains, then its added fields,
both in the order of the description. So fields can be added at any depth: a reader ignores what follows the fields that
it knows, and keeps defaults for fields that are missing. If nothing was added at all, there is no block.
"""

from msg.model import INTEGERS, REALS, Fault
from msg.write_cpp import member

BLOCK_HEAD = 2


def is_struct(part, messages):
    return part.type.is_message and not part.type.array and "enum" not in messages[part.type.base].notes


def structs(message, messages):
    return [f for f in message.fields if is_struct(f, messages)]


def added(message):
    return [f for f in message.fields if "since" in f.notes]


def has_added(message, messages):
    return bool(added(message)) or any(has_added(messages[f.type.base], messages) for f in structs(message, messages))


def value_size(part, message):
    if part.type.array:
        raise Fault(message.path, part.line, "`@since` is for single values, not for lists")
    if part.type.base == "string":
        if not part.type.text_bound:
            raise Fault(message.path, part.line, f"`{part.name}` needs a limit: telemetry has to fit a datagram")
        return 2 + part.type.text_bound
    return 1 if part.type.base not in {**INTEGERS, **REALS} else {**INTEGERS, **REALS}[part.type.base][1]


def size(message, messages, is_optional):
    """The greatest size of the block in bytes; 0 if nothing was added."""
    if not has_added(message, messages):
        return 0
    total = BLOCK_HEAD
    for part in structs(message, messages):
        if "since" in part.notes:
            raise Fault(message.path, part.line, f"`@since` is for plain values: mark the fields of {part.type.base}")
        total += size(messages[part.type.base], messages, is_optional) or BLOCK_HEAD
    return total + sum(value_size(f, message) + is_optional(f) for f in added(message))


def put(part, value):
    if part.type.is_message or part.type.base == "bool":
        return f"append_le(block, static_cast<std::uint8_t>({value}));"
    if part.type.base == "string":
        return f"append_sized(block, clipped({value}, {part.type.text_bound}));"
    return f"append_le(block, {value});"


def take(part, into, messages):
    if part.type.is_message:
        target = messages[part.type.base]
        last = max(target.constants, key=lambda c: c.value)
        return f"{into} = fields.up_to({target.name}::{member(last.name.lower())});"
    if part.type.base == "bool":
        return f"{into} = fields.flag();"
    if part.type.base == "string":
        return f"{into} = fields.text({part.type.text_bound});"
    return f"{into} = fields.number<{ {**INTEGERS, **REALS}[part.type.base][0]}>();"


def parts_of(message, messages):
    """The messages that have added fields, each after those that it contains, the given one last."""
    found = []
    for part in structs(message, messages):
        if has_added(messages[part.type.base], messages):
            found += [m for m in parts_of(messages[part.type.base], messages) if m not in found]
    return [*found, message]


def codec(message, messages, is_optional):
    """The functions of a message. Those of the messages that it contains come first."""
    name = message.name
    if not has_added(message, messages):
        return [f"void append_added(Bytes&, const {name}&) {{}}", "",
                f"void read_added(FieldReader& from, {name}&) {{ from.rest(); }}", ""]
    *inner, _ = parts_of(message, messages)
    lines = ["namespace {", "", *[line for part in inner for line in one_codec(part, messages, is_optional)],
             "}  // namespace", ""] if inner else []
    return lines + one_codec(message, messages, is_optional)


def one_codec(message, messages, is_optional):
    puts, takes = [], []
    for part in structs(message, messages):
        target = messages[part.type.base]
        if not has_added(target, messages):
            puts.append("append_le(block, std::uint16_t{0});")
            takes.append("if (fields.left() > 0) fields.sized();")
            continue
        inline = "inline" in part.notes
        value = f"static_cast<const {target.name}&>(value)" if inline else f"value.{member(part.name)}"
        into = f"static_cast<{target.name}&>(into)" if inline else f"into.{member(part.name)}"
        puts.append(f"append_added(block, {value});")
        takes.append(f"if (fields.left() > 0) read_added(fields, {into});")
    for part in added(message):
        value, into = f"value.{member(part.name)}", f"into.{member(part.name)}"
        if is_optional(part):
            puts += [f"append_le(block, static_cast<std::uint8_t>({value}.has_value()));",
                     f"if ({value}) {put(part, '*' + value)}"]
            takes.append(f"if (fields.left() > 0 && fields.flag()) {take(part, into, messages)}")
        else:
            puts.append(put(part, value))
            takes.append(f"if (fields.left() > 0) {take(part, into, messages)}")
    name = message.name
    return [f"void append_added(Bytes& to, const {name}& value) {{", "    Bytes block;",
            *[f"    {line}" for line in puts], "    append_sized(to, text_of(block));", "}", "",
            f"void read_added(FieldReader& from, {name}& into) {{", "    FieldReader fields(from.sized());",
            *[f"    {line}" for line in takes], "    if (!fields.ok()) from.fail();", "}", ""]
