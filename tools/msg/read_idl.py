"""Reads the subset of IDL used by messages: modules, structs, typedefs of arrays, sequences,
strings and constants. Annotations, comments and preprocessor lines are ignored; a trailing `_`
and a module `dds_` are conventions of ROS 2 and omitted from names."""

import re

from msg.model import Constant, Fault, Field, Message, Type, check_name, instead, value_of

TYPES = {"boolean": "bool", "octet": "uint8", "char": "char", "int8": "int8", "uint8": "uint8", "short": "int16",
         "int16": "int16", "unsigned short": "uint16", "uint16": "uint16", "long": "int32", "int32": "int32",
         "unsigned long": "uint32", "uint32": "uint32", "long long": "int64", "int64": "int64",
         "unsigned long long": "uint64", "uint64": "uint64", "float": "float32", "double": "float64"}
TOKEN = re.compile(r'\s+|//[^\n]*|/\*.*?\*/|#[^\n]*|(?P<word>"(?:[^"\\]|\\.)*"|[A-Za-z_]\w*(?:::\w+)*|'
                   r"[-+]?(?:0x[0-9a-fA-F]+|\d+\.?\d*(?:[eE][-+]?\d+)?)|[{}\[\]<>();,=@])", re.S)


class Reader:
    def __init__(self, text, path):
        self.path, self.words, self.lines, self.at = path, [], [], 0
        self.typedefs, self.messages, self.constants = {}, [], {}
        at = 0
        while at < len(text):
            match = TOKEN.match(text, at)
            line = text.count("\n", 0, at) + 1
            if not match:
                raise Fault(path, line, f"`{text[at]}` is not understood here")
            if match["word"]:
                self.words.append(match["word"])
                self.lines.append(line)
            at = match.end()

    def line(self):
        return self.lines[min(self.at, len(self.lines) - 1)] if self.lines else 1

    def peek(self):
        return self.words[self.at] if self.at < len(self.words) else ""

    def take(self, wanted=None):
        word = self.peek()
        if not word or (wanted and word != wanted):
            raise Fault(self.path, self.line(), f"`{wanted or 'more'}` is missing before `{word or 'the end of the file'}`")
        self.at += 1
        return word

    def skip_annotations(self):
        while self.peek() == "@":
            self.at += 2
            if self.peek() == "(":
                depth = 0
                while True:
                    depth += {"(": 1, ")": -1}.get(self.take(), 0)
                    if depth == 0:
                        break

    def definitions(self, modules):
        while self.peek() not in ("", "}"):
            self.skip_annotations()
            kind = self.take()
            if kind == "module":
                name = self.take()
                self.take("{")
                self.definitions([*modules, name])
                self.take("}")
            elif kind == "struct":
                self.struct(modules)
            elif kind == "typedef":
                type_ = self.type(modules)
                name = self.take()
                self.typedefs[name] = self.array(type_)
            elif kind == "const":
                self.constant(modules)
            else:
                raise Fault(self.path, self.line(), f"`{kind}` is not supported; messages consist of module, struct, "
                            f"typedef and const{instead(kind, ['module', 'struct', 'typedef', 'const'])}")
            self.take(";")

    def constant(self, modules):
        line, type_, name = self.line(), self.type(modules), self.take()
        self.take("=")
        check_name("constant", name, self.path, line)
        value = value_of(self.take(), type_, self.path, line)
        owner = modules[-1].removesuffix("_Constants") if modules else ""
        self.constants.setdefault(owner, []).append(Constant(type_, name, line, value))

    def struct(self, modules):
        line, name = self.line(), self.take().removesuffix("_")
        check_name("message", name, self.path, line)
        if not modules:
            raise Fault(self.path, line, f"`{name}` stands in no module: write `module package {{ module msg {{ ...`")
        message = Message(modules[0], name, self.path)
        self.take("{")
        while self.peek() != "}":
            self.skip_annotations()
            type_, line, field = self.type(modules), self.line(), self.take()
            check_name("field", field, self.path, line)
            message.fields.append(Field(self.array(type_), field, line))
            self.take(";")
        self.take("}")
        if [f.name for f in message.fields] == ["structure_needs_at_least_one_member"]:
            message.fields = []
        self.messages.append(message)

    def array(self, type_):
        if self.peek() != "[":
            return type_
        line = self.line()
        self.take("[")
        size = int(self.take())
        self.take("]")
        if type_.array or self.peek() == "[":
            raise Fault(self.path, line, "an array of arrays has no form in a ROS 2 message")
        return Type(type_.base, type_.text_bound, "fixed", size)

    def type(self, modules):
        line, word = self.line(), self.take()
        if word == "unsigned":
            word += " " + self.take()
        if word.endswith("long") and self.peek() == "long":
            word += " " + self.take()
        if word in TYPES:
            return Type(TYPES[word])
        if word == "string":
            return Type("string", self.bound())
        if word == "sequence":
            self.take("<")
            one = self.type(modules)
            size = None
            if self.peek() == ",":
                self.take(",")
                size = int(self.take())
            self.take(">")
            if one.array:
                raise Fault(self.path, line, "a sequence of arrays has no form in a ROS 2 message")
            return Type(one.base, one.text_bound, "bounded" if size else "unbounded", size)
        if word in self.typedefs:
            return self.typedefs[word]
        parts = word.split("::")
        if len(parts) == 1 and word[0].islower():
            raise Fault(self.path, line, f"there is no type `{word}`{instead(word, [*TYPES, 'string', 'sequence'])}")
        return Type(f"{parts[0] if len(parts) > 1 else modules[0]}/{parts[-1].removesuffix('_')}")

    def bound(self):
        if self.peek() != "<":
            return None
        self.take("<")
        size = int(self.take())
        self.take(">")
        return size


def read_idl(text, path):
    reader = Reader(text, path)
    reader.definitions([])
    if reader.peek():
        raise Fault(path, reader.line(), f"`{reader.peek()}` closes nothing")
    for message in reader.messages:
        message.constants = reader.constants.get(message.name, [])
    return reader.messages
