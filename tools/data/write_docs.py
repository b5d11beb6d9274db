"""Writes the tables of fields into Markdown pages, between `<!-- fields: Name -->` and `<!-- end of fields -->`."""

import re

from data.notes import json_name, members
from data.write_schema import enum_texts
from msg.model import REALS, Fault

PLACE = re.compile(r"(?P<open><!-- fields: (?P<name>\w+) -->\n)(?P<table>.*?)(?P<close><!-- end of fields -->)", re.S)


def in_unit(part):
    return f" in {part.notes['unit']}" if "unit" in part.notes else ""


def type_words(part, messages):
    type_ = part.type
    if "map" in part.notes:
        return f"object of {type_words(messages[type_.base].fields[1], messages)} by {messages[type_.base].fields[0].name}"
    if type_.is_message:
        target = messages[type_.base]
        if "enum" in target.notes:
            words = ", ".join(f"`{text}`" for text in enum_texts(target))
        elif "tuple" in target.notes:
            words = "[" + ", ".join(f.name + in_unit(f) for f in target.fields) + "]"
        else:
            words = "object: " + ", ".join(f"`{json_name(f)}`{in_unit(f)}" for f, _ in members(target, messages))
    elif type_.base in ("string", "bool"):
        words = {"string": "text", "bool": "boolean"}[type_.base]
    else:
        words = "number" if type_.base in REALS else "integer"
        if "range" in part.notes:
            words += " from {:g} to {:g}".format(*part.notes["range"])
        if "unit" in part.notes:
            words += f", {part.notes['unit']}"
    if type_.array:
        most = f" of at most {type_.size}" if type_.array == "bounded" else ""
        words = f"list{most}: {words}"
    return f"{words}, or null" if "nullable" in part.notes else words


def rows(message, messages):
    for part, absent in members(message, messages):
        missing = "Optional. " if absent or "optional" in part.notes else ""
        if "number" in part.notes:
            yield f"| `{part.notes['number']}` | integer | number of `{json_name(part)}` |"
        yield f"| `{json_name(part)}` | {type_words(part, messages)} | {(missing + part.doc).strip()} |"
        target = messages[part.type.base] if part.type.is_message else None
        if target and "enum" not in target.notes and "map" not in part.notes:
            for inner, _ in members(target, messages):
                if inner.doc:
                    yield f"| `{json_name(part)}.{json_name(inner)}` | {type_words(inner, messages)} | {inner.doc} |"


def table(message, messages):
    if "enum" in message.notes:
        texts = zip(enum_texts(message), message.constants)
        return "\n".join(["| value | meaning |", "|---|---|", *(f"| `{text}` | {c.doc} |" for text, c in texts), ""])
    return "\n".join(["| field | type | meaning |", "|---|---|---|", *rows(message, messages), ""])


def page(text, path, messages):
    """The page with current tables."""
    by_name = {m.name: m for m in messages.values()}

    def current(match):
        if match["name"] not in by_name:
            line = text.count("\n", 0, match.start()) + 1
            raise Fault(path, line, f"there is no message `{match['name']}`")
        return match["open"] + table(by_name[match["name"]], messages) + match["close"]

    return PLACE.sub(current, text)
