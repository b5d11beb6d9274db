"""Annotations in the comments of `.msg` files: which there are, where each may be used, and what it takes.

    # @unit(m/s) @range(-3, 3) @digits(3) Speed of the wheel.

An annotation is removed from the comment; the rest is the documentation of the field.
"""

import re

from msg.model import INTEGERS, REALS, Fault, check_all, instead

FIELD_NOTES = {
    "unit": "unit of the number",
    "range": "least and greatest value; JSON outside of it is refused",
    "digits": "digits after the decimal point in JSON",
    "optional": "may be absent: std::optional, left out of JSON",
    "nullable": "may be unknown: std::optional, null in JSON; a real number stays one, is NaN until it is set, and NaN is null",
    "added": "older peers and recordings leave it out: readers keep the default",
    "since": "added in this version of the link: as @added, and sent in the block of added fields",
    "inline": "its fields are members of the enclosing JSON object: a base class, or std::optional",
    "map": "a list of messages of two fields as a JSON object: the first is the key, the second the value",
    "base64": "bytes as base64; readers of JSON Schema decode them",
    "json": "another name in JSON",
    "number": "an enumerator is written as a number too, under this name",
}
MESSAGE_NOTES = {
    "enum": "constants only: an enumeration, in JSON the text of the constant",
    "tuple": "a list in JSON, not an object",
    "type": "value of the member `type`, which JSON begins with",
    "recorded": "in recordings and for Foxglove only: the page has no type for it, and for what only it contains",
    "versioned": "has append_added() and read_added(): the codec of the fields with @since",
    "cpp": "the C++ type exists: its name and its header",
}
CONSTANT_NOTES = {"text": "name in JSON and for people; otherwise its own name"}
NOTE = re.compile(r"@(?P<name>\w+)(?:\((?P<value>[^)]*)\))?\s*")
MAY_BE_MISSING = {"optional", "added", "since"}  # in JSON
WITHOUT_VALUE = {"optional", "nullable", "added", "inline", "map", "base64", "enum", "tuple", "recorded", "versioned"}


def take_notes(part, known, path, line):
    """Moves the annotations of a comment to `notes`."""
    for match in NOTE.finditer(part.doc):
        name, value = match["name"], match["value"]
        if name not in known:
            raise Fault(path, line, f"unknown annotation `@{name}`{instead(name, list(known))}")
        if name in part.notes:
            raise Fault(path, line, f"`@{name}` is given twice")
        if (value is None) != (name in WITHOUT_VALUE):
            raise Fault(path, line, f"`@{name}` takes {'no' if name in WITHOUT_VALUE else 'a'} value in parentheses")
        part.notes[name] = (value or "").strip()
    part.doc = NOTE.sub("", part.doc).strip()


def numbers(text, count, path, line, name):
    try:
        values = [float(part) for part in text.split(",")]
    except ValueError:
        values = []
    if len(values) != count:
        raise Fault(path, line, f"`@{name}({text})` takes {count} number{'s' if count > 1 else ''}")
    return values


def check_field(part, message, messages):
    path, line, notes, type_ = message.path, part.line, part.notes, part.type
    is_number = type_.base in INTEGERS or type_.base in REALS

    def only(condition, what, name):
        if name in notes and not condition:
            raise Fault(path, line, f"`@{name}` is for {what}, not for `{part.name}`")

    target = messages[type_.base] if type_.is_message else None
    is_enum = target is not None and "enum" in target.notes
    for name in ("unit", "range"):
        only(is_number, "numbers", name)
    only(type_.base in REALS, "real numbers", "digits")
    only(target is not None and not is_enum and not type_.array, "messages", "inline")
    only(is_enum and not type_.array, "enumerations", "number")
    only(type_.base == "string" and not type_.array, "strings", "base64")
    only(not type_.array, "single values", "nullable")
    only("nullable" not in notes, "fields that are not nullable", "optional")
    only(type_.array is not None and target is not None and len(target.fields) == 2
         and target.fields[0].type.base == "string", "lists of messages of a string and another field", "map")
    if "range" in notes:
        low, high = numbers(notes["range"], 2, path, line, "range")
        if low > high:
            raise Fault(path, line, f"`@range({notes['range']})` is empty: the least value comes first")
        notes["range"] = (low, high)
    if "since" in notes and notes["since"] != "2":
        raise Fault(path, line, f"`@since({notes['since']})`: the version after the first is 2")
    if "digits" in notes:
        notes["digits"] = int(numbers(notes["digits"], 1, path, line, "digits")[0])
    if part.default is not None and target is not None:
        names = [c.name for c in target.constants] if is_enum else []
        if part.default not in names:
            raise Fault(path, line, f"`{part.default}` is not a value of {target.name}{instead(part.default, names)}")


def check_message(message, messages):
    path, notes = message.path, message.notes
    for constant in message.constants:
        take_notes(constant, CONSTANT_NOTES, path, constant.line)
    for part in message.fields:
        take_notes(part, FIELD_NOTES, path, part.line)
    if "enum" in notes:
        if message.fields or not message.constants:
            raise Fault(path, 1, "an enumeration has constants and no fields")
        values = [c.value for c in message.constants]
        if any(c.type.base != "uint8" for c in message.constants) or len(set(values)) < len(values):
            raise Fault(path, 1, "the constants of an enumeration are distinct values of type uint8")
    elif message.constants:
        raise Fault(path, message.constants[0].line, "constants belong to an enumeration: write `# @enum` in the first comment")
    if not message.doc:
        raise Fault(path, 1, "the message is not documented: begin with a comment and an empty line")
    if "cpp" in notes and len(notes["cpp"].split(",")) != 2:
        raise Fault(path, 1, "`@cpp` takes a type and its header: @cpp(caribou::Pose, base/pose.hpp)")


def check_data(messages):
    """Checks all annotations. Returns the messages, each after those that it contains."""
    for message in messages.values():
        take_notes(message, MESSAGE_NOTES, message.path, 1)
    ordered = check_all(messages)
    for message in ordered:
        check_message(message, messages)
    for message in ordered:
        for part in message.fields:
            check_field(part, message, messages)
        if "tuple" in message.notes and any(f.type.array or f.type.is_message or f.notes.keys() & {
                "optional", "inline"} for f in message.fields):
            raise Fault(message.path, 1, "the fields of a tuple are single values that are always present")
        check_json_names(message, messages)
    return ordered


def json_name(part):
    return part.notes.get("json", part.name)


def members(message, messages, optional=False):
    """The JSON members of a message, those of inlined messages included: pairs of a field and whether it may be
    left out because the message that it is inlined from is absent."""
    for part in message.fields:
        if "inline" in part.notes:
            yield from members(messages[part.type.base], messages, optional or "optional" in part.notes)
        else:
            yield part, optional


def check_json_names(message, messages):
    seen = set()
    for part, _ in members(message, messages):
        for name in [json_name(part), part.notes.get("number")]:
            if name in seen:
                raise Fault(message.path, part.line, f"two members of the JSON object are named `{name}`")
            if name:
                seen.add(name)
