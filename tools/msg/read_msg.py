"""Reads `.msg` files: one field or constant per line."""

import re

from msg.model import PRIMITIVES, Constant, Fault, Field, Message, Type, check_name, instead, value_of

LINE = re.compile(r"(?P<type>(?:[^\s=]|<=)+)\s+(?P<name>\w+)\s*(?P<rest>.*)")
TYPE = re.compile(r"(?P<base>[A-Za-z][\w/]*)(<=(?P<text>\d+))?(\[(?P<bound><=)?(?P<size>\d*)\])?")


def without_comment(line):
    """Returns the line up to a `#` outside of quotes."""
    quote = None
    for at, letter in enumerate(line):
        if quote:
            quote = None if letter == quote and line[at - 1] != "\\" else quote
        elif letter in "\"'":
            quote = letter
        elif letter == "#":
            return line[:at]
    return line


def read_type(text, package, path, line):
    match = TYPE.fullmatch(text)
    if not match:
        raise Fault(path, line, f"`{text}` is no type: write `int32`, `string<=10`, `float64[3]`, "
                    "`uint8[]`, `int8[<=5]` or `package/Name`")
    base = match["base"]
    if base == "wstring":
        raise Fault(path, line, "wstring is not supported; use `string`, which is UTF-8")
    if base == "Header":
        base = "std_msgs/Header"
    elif base not in PRIMITIVES:
        parts = base.split("/")
        if len(parts) == 1 and base[0].islower():
            raise Fault(path, line, f"there is no type `{base}`{instead(base, PRIMITIVES)}")
        if len(parts) > 3 or (len(parts) == 3 and parts[1] != "msg"):
            raise Fault(path, line, f"`{base}` is no message: write `package/Name`")
        base = f"{parts[0] if len(parts) > 1 else package}/{parts[-1]}"
    if match["text"] and base != "string":
        raise Fault(path, line, f"`<={match['text']}` bounds a string or an array, not `{base}`")
    bound = int(match["text"]) if match["text"] else None
    if "[" not in text:
        return Type(base, bound)
    if not match["size"]:
        if match["bound"]:
            raise Fault(path, line, f"`{text}` lacks the bound: write `{match['base']}[<=10]`")
        return Type(base, bound, "unbounded")
    if int(match["size"]) == 0:
        raise Fault(path, line, "an array has at least one element")
    return Type(base, bound, "bounded" if match["bound"] else "fixed", int(match["size"]))


def read_default(text, type_, path, line, with_enums):
    if type_.is_message and with_enums and not type_.array:
        return text
    if type_.is_message:
        raise Fault(path, line, "a field that is a message has no default")
    if not type_.array:
        return value_of(text, type_, path, line)
    if not (text.startswith("[") and text.endswith("]")):
        raise Fault(path, line, f"`{text}` is no default of an array: write `[1, 2, 3]`")
    inner = text[1:-1].strip()
    parts = re.findall(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'|[^,\s]+', inner)
    values = [value_of(part, type_.element, path, line) for part in parts]
    if type_.array == "fixed" and len(values) != type_.size:
        raise Fault(path, line, f"{len(values)} values for an array of {type_.size}")
    if type_.array == "bounded" and len(values) > type_.size:
        raise Fault(path, line, f"{len(values)} values for an array of at most {type_.size}")
    return values


def read_msg(text, package, name, path, with_enums=False):
    """Reads one message. With `with_enums` a field of another message's type may have a default: the name of
    one of its constants, which the caller checks."""
    message = Message(package, name, path)
    comments = []
    for line, raw in enumerate(text.splitlines(), 1):
        code = without_comment(raw)
        comment = raw[len(code) + 1:].strip()
        code = code.strip()
        if not code:
            if comment:
                comments.append(comment)
            elif not raw.strip():
                if not (message.doc or message.fields or message.constants):
                    message.doc = " ".join(comments)
                comments = []
            continue
        doc, comments = " ".join([*comments, comment]).strip(), []
        match = LINE.fullmatch(code)
        if not match:
            raise Fault(path, line, f"`{code}` is no field: write `type name`, `type name default` or `type NAME=value`")
        type_ = read_type(match["type"], package, path, line)
        rest = match["rest"].strip()
        if rest.startswith("="):
            check_name("constant", match["name"], path, line)
            if type_.array or type_.is_message:
                raise Fault(path, line, "a constant is a number, a bool or a string")
            value = value_of(rest[1:].strip(), type_, path, line)
            message.constants.append(Constant(type_, match["name"], line, value, doc))
        else:
            check_name("field", match["name"], path, line)
            default = read_default(rest, type_, path, line, with_enums) if rest else None
            message.fields.append(Field(type_, match["name"], line, default, doc))
    return message
