"""The model of a message, independent of the file format, and the errors in one."""

import difflib
import re
from dataclasses import dataclass, field

# Name in .msg files: C++ type, bytes on the wire, minimum and maximum.
INTEGERS = {
    "byte": ("std::uint8_t", 1, 0, 2**8 - 1),
    "char": ("std::uint8_t", 1, 0, 2**8 - 1),
    "int8": ("std::int8_t", 1, -(2**7), 2**7 - 1),
    "uint8": ("std::uint8_t", 1, 0, 2**8 - 1),
    "int16": ("std::int16_t", 2, -(2**15), 2**15 - 1),
    "uint16": ("std::uint16_t", 2, 0, 2**16 - 1),
    "int32": ("std::int32_t", 4, -(2**31), 2**31 - 1),
    "uint32": ("std::uint32_t", 4, 0, 2**32 - 1),
    "int64": ("std::int64_t", 8, -(2**63), 2**63 - 1),
    "uint64": ("std::uint64_t", 8, 0, 2**64 - 1),
}
REALS = {"float32": ("float", 4), "float64": ("double", 8)}
PRIMITIVES = ["bool", *INTEGERS, *REALS, "string"]


class Fault(Exception):
    """An error: `std_msgs/msg/String.msg:3: what is wrong; what to write instead`."""

    def __init__(self, path, line, what):
        super().__init__(f"{path}:{line}: {what}")


def instead(word, known):
    """Returns the end of an error message about an unknown word, with a suggestion if one is similar."""
    near = difflib.get_close_matches(word, known, 1)
    return f"; did you mean `{near[0]}`?" if near else ""


@dataclass(frozen=True)
class Type:
    base: str  # a primitive, or `package/Name`
    text_bound: int | None = None  # of a string
    array: str | None = None  # "fixed", "bounded", "unbounded"
    size: int | None = None  # of a fixed array, or its bound

    @property
    def is_message(self):
        return "/" in self.base

    @property
    def element(self):
        return Type(self.base, self.text_bound)


@dataclass
class Field:
    type: Type
    name: str
    line: int
    default: object = None
    doc: str = ""  # the comment beside it and those directly above it
    notes: dict = field(default_factory=dict)  # annotations of the comment, by name


@dataclass
class Constant:
    type: Type
    name: str
    line: int
    value: object
    doc: str = ""
    notes: dict = field(default_factory=dict)


@dataclass
class Message:
    package: str
    name: str
    path: str
    fields: list = field(default_factory=list)
    constants: list = field(default_factory=list)
    doc: str = ""  # the first comment, up to an empty line
    notes: dict = field(default_factory=dict)

    @property
    def key(self):
        return f"{self.package}/{self.name}"

    @property
    def type_name(self):
        return f"{self.package}/msg/{self.name}"


def snake(name):
    """`MapMetaData` -> `map_meta_data`, `ColorRGBA` -> `color_rgba`."""
    name = re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1_\2", name)
    return re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", name).lower()


def check_name(kind, name, path, line):
    patterns = {
        "package": (r"[a-z][a-z0-9_]*", "small letters, digits and _"),
        "message": (r"[A-Z][A-Za-z0-9]*", "a capital, then letters and digits"),
        "field": (r"[a-z](_?[a-z0-9])*", "small letters, digits and single _, beginning with a letter"),
        "constant": (r"[A-Z](_?[A-Z0-9])*", "capitals, digits and single _, beginning with a letter"),
    }
    pattern, words = patterns[kind]
    if not re.fullmatch(pattern, name):
        raise Fault(path, line, f"`{name}` is no name of a {kind}: {words}")


def value_of(text, kind, path, line):
    """Returns the value of a constant or default, for one element of the type."""
    base = kind.base
    if base == "string":
        quoted = re.fullmatch(r'"((?:[^"\\]|\\.)*)"|\'((?:[^\'\\]|\\.)*)\'', text)
        return re.sub(r"\\(.)", r"\1", quoted[1] or quoted[2] or "") if quoted else text
    if base == "bool":
        if text.lower() not in ("true", "false", "0", "1"):
            raise Fault(path, line, f"`{text}` is no bool: write true or false")
        return text.lower() in ("true", "1")
    try:
        if base in REALS:
            return float(text)
        value = int(text, 0)
    except ValueError:
        raise Fault(path, line, f"`{text}` is no {base}") from None
    _, _, least, greatest = INTEGERS[base]
    if not least <= value <= greatest:
        raise Fault(path, line, f"{text} does not fit into {base}: {least} to {greatest}")
    return value


def check_all(messages):
    """Checks that each type used exists, names are unique, and no message contains itself."""
    known = [f"{m.package}/{m.name}" for m in messages.values()]
    for message in messages.values():
        seen = {}
        for part in [*message.constants, *message.fields]:
            if part.name in seen:
                raise Fault(message.path, part.line, f"`{part.name}` stands in line {seen[part.name]} already")
            seen[part.name] = part.line
        for part in message.fields:
            if part.type.is_message and part.type.base not in messages:
                raise Fault(message.path, part.line,
                            f"there is no message `{part.type.base}`{instead(part.type.base, known)}")
    return in_order(messages)


def in_order(messages):
    """Returns the messages sorted so that each follows those it contains."""
    done, under_way, ordered = set(), [], []

    def visit(message):
        if message.key in done:
            return
        under_way.append(message.key)
        for part in message.fields:
            if part.type.base in under_way:
                raise Fault(message.path, part.line, f"`{message.key}` contains itself: "
                            + " -> ".join([*under_way[under_way.index(part.type.base):], part.type.base]))
            if part.type.is_message:
                visit(messages[part.type.base])
        under_way.pop()
        done.add(message.key)
        ordered.append(message)

    for message in sorted(messages.values(), key=lambda m: m.key):
        visit(message)
    return ordered


def least_size(type_, messages):
    """Returns the minimum number of bytes of a value on the wire, without padding."""
    if type_.array in ("bounded", "unbounded"):
        return 4
    if type_.array == "fixed":
        return type_.size * least_size(type_.element, messages)
    if type_.is_message:
        return max(1, sum(least_size(f.type, messages) for f in messages[type_.base].fields))
    return {"string": 4, "bool": 1}.get(type_.base) or {**INTEGERS, **REALS}[type_.base][1]
