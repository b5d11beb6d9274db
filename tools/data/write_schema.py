"""Writes JSON Schema (draft 2020-12), as MCAP files and the Foxglove protocol describe JSON messages.

Foxglove and Lichtblick show no topic at all whose schema has a list of types, a list of lists, or an object without
`properties`. Therefore null is allowed by the keyword `nullable`, and lists of tuples are in `$comment`, not in `properties`.
"""

import json

from data.notes import MAY_BE_MISSING, json_name, members
from msg.model import INTEGERS, REALS


def enum_texts(message):
    return [c.notes.get("text", c.name) for c in message.constants]


def element_schema(part, messages):
    type_ = part.type
    if type_.is_message:
        target = messages[type_.base]
        return {"type": "string", "enum": enum_texts(target)} if "enum" in target.notes else schema(target, messages)
    if type_.base == "string":
        return {"type": "string", "contentEncoding": "base64"} if "base64" in part.notes else {"type": "string"}
    if type_.base == "bool":
        return {"type": "boolean"}
    made = {"type": "number" if type_.base in REALS else "integer"}
    if "range" in part.notes:
        low, high = part.notes["range"]
        made |= {"minimum": low, "maximum": high} if type_.base in REALS else {"minimum": int(low), "maximum": int(high)}
    elif type_.base in INTEGERS and type_.base.startswith("u"):
        made["minimum"] = 0
    return made


def field_schema(part, messages):
    if "map" in part.notes:
        made = {"type": "object", "properties": {},
                "additionalProperties": element_schema(messages[part.type.base].fields[1], messages)}
    else:
        made = element_schema(part, messages)
        if part.type.array:
            made = {"type": "array", "items": made}
            if part.type.array != "unbounded":
                made["maxItems"] = part.type.size
            if part.type.array == "fixed":
                made["minItems"] = part.type.size
    if "nullable" in part.notes:
        made = {**made, "nullable": True}
        if "enum" in made:
            made["enum"] = [*made["enum"], None]
    unit = part.notes.get("unit")
    text = " ".join(filter(None, [part.doc, f"[{unit}]" if unit else ""]))
    return {**made, "description": text} if text else made


def is_list_of_tuples(part, messages):
    return bool(part.type.array) and part.type.is_message and "tuple" in messages[part.type.base].notes


def schema(message, messages):
    if "tuple" in message.notes:
        items = [field_schema(f, messages) for f in message.fields]
        return {"type": "array", "prefixItems": items, "minItems": len(items), "maxItems": len(items)}
    properties, required, tuples = {}, [], []
    if "type" in message.notes:
        properties["type"] = {"type": "string", "const": message.notes["type"]}
    for part, absent in members(message, messages):
        if "number" in part.notes:
            properties[part.notes["number"]] = {"type": "integer", "minimum": 0}
        if is_list_of_tuples(part, messages):
            fields = ", ".join(f.name for f in messages[part.type.base].fields)
            tuples.append(f"{json_name(part)}: list of [{fields}]")
            continue
        properties[json_name(part)] = field_schema(part, messages)
        if not absent and not part.notes.keys() & MAY_BE_MISSING:
            required.append(json_name(part))
    made = {"type": "object", "properties": properties}
    if required:
        made["required"] = required
    return {**made, "$comment": "; ".join(tuples)} if tuples else made


def schema_text(message, messages):
    return json.dumps(schema(message, messages), separators=(",", ":"), ensure_ascii=False)
