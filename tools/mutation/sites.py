"""Finds the places of a C++ source that can be mutated, with libclang, and writes a source with all of them.

Every mutation is made of insertions, so that mutations nest: `a < b` becomes `mutation::less(7, a, b)`.
"""

import dataclasses
import re

from clang import cindex
from clang.cindex import CursorKind

COMPARISONS = {
    "<": ("less", "<="), "<=": ("less_equal", "<"), ">": ("greater", ">="), ">=": ("greater_equal", ">"),
    "==": ("equal", "!="), "!=": ("not_equal", "=="),
}
ARITHMETIC = {"+": ("plus", "-"), "-": ("minus", "+"), "*": ("times", "without *"), "/": ("divided", "without /")}
# Assertions that never fail, memory that is only reserved, and secrets that are erased: no test could notice.
NOT_OBSERVABLE = {"check", "reserve", "sodium_memzero"}
LITERALS = {CursorKind.INTEGER_LITERAL, CursorKind.FLOATING_LITERAL}
CALLS = {CursorKind.CALL_EXPR, CursorKind.BINARY_OPERATOR, CursorKind.UNARY_OPERATOR,
         CursorKind.COMPOUND_ASSIGNMENT_OPERATOR}


@dataclasses.dataclass
class Site:
    """One mutation: the edits that make it, and what it changes for a reader."""

    file: str
    line: int
    text: str  # the source line, trimmed
    change: str
    # (offset, end of the removed text, length of the whole expression, text with {n} for the number, is an opener)
    edits: list
    number: int = 0

    def key(self):
        return f"{self.file} | {self.text} | {self.change}"


class Finder:
    def __init__(self, path, name, arguments):
        self.name = name
        self.source = open(path, "rb").read()
        self.path = path
        self.sites = []
        self.unit = cindex.Index.create().parse(
            path, args=arguments, options=cindex.TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD)
        self.macros = [
            (c.extent.start.offset, c.extent.end.offset) for c in self.unit.cursor.get_children()
            if c.kind == CursorKind.MACRO_INSTANTIATION and self.is_here(c)]

    def is_here(self, cursor):
        place = cursor.extent.start
        return place.file is not None and place.file.name == self.path

    def find(self):
        for cursor in self.unit.cursor.get_children():
            if self.is_here(cursor):
                self.visit(cursor)
        return self.sites

    def visit(self, cursor):
        if cursor.kind in (CursorKind.STATIC_ASSERT, CursorKind.ENUM_DECL, CursorKind.TYPE_ALIAS_DECL):
            return
        if cursor.kind == CursorKind.VAR_DECL and re.match(rb"(static |inline )*constexpr", self.text(cursor)):
            return
        if cursor.kind == CursorKind.CALL_EXPR and cursor.spelling in NOT_OBSERVABLE:
            return
        children = list(cursor.get_children())
        if cursor.kind == CursorKind.CASE_STMT:
            children = children[1:]
        self.mutate(cursor, children)
        for child in children:
            self.visit(child)

    def mutate(self, cursor, children):
        kind = cursor.kind
        if kind == CursorKind.COMPOUND_STMT:
            for child in children:
                if child.kind in CALLS and child.spelling not in NOT_OBSERVABLE:
                    self.add(child, "removed", [self.open(child, "if (!mutation::is({n})) ")])
        elif kind in (CursorKind.IF_STMT, CursorKind.WHILE_STMT, CursorKind.CONDITIONAL_OPERATOR):
            conditions = [c for c in children if c.kind.is_expression()][:1]
            # A declared condition comes first and cannot be wrapped.
            if conditions and (kind == CursorKind.CONDITIONAL_OPERATOR or children[0].kind.is_expression()):
                self.wrap(conditions[0], "condition negated", "(mutation::is({n}) != static_cast<bool>(", "))")
        elif kind in LITERALS:
            self.wrap(cursor, "constant changed", "mutation::constant({n}, ", ")")
        elif kind == CursorKind.CXX_BOOL_LITERAL_EXPR:
            text = self.text(cursor)
            value = "(!mutation::is({n}))" if text == b"true" else "mutation::is({n})"
            start, end = self.range(cursor)
            self.add(cursor, f"{text.decode()} inverted", [(start, end, end - start, value, True)])
        elif kind == CursorKind.BINARY_OPERATOR and len(children) == 2:
            self.operator(cursor, children[0], children[1])
        elif kind == CursorKind.CALL_EXPR and cursor.spelling.startswith("operator") and len(children) == 3:
            self.operator(cursor, children[0], children[2])

    def operator(self, cursor, left, right):
        start, end = self.range(left)[1], self.range(right)[0]
        token = self.source[start:end].strip().decode(errors="replace")
        if token == "&&":
            self.wrap(left, "left side of && ignored", "(mutation::is({n}) || static_cast<bool>(", "))")
            self.wrap(right, "right side of && ignored", "(mutation::is({n}) || static_cast<bool>(", "))")
        elif token == "||":
            self.wrap(left, "left side of || ignored", "(!mutation::is({n}) && static_cast<bool>(", "))")
            self.wrap(right, "right side of || ignored", "(!mutation::is({n}) && static_cast<bool>(", "))")
        elif token in COMPARISONS or token in ARITHMETIC:
            function, other = (COMPARISONS | ARITHMETIC)[token]
            at = start + self.source[start:end].index(token.encode())
            self.add(cursor, f"{token} -> {other}", [
                self.open(cursor, f"mutation::{function}({{n}}, "),
                (at, at + len(token), 0, ", ", True),
                self.close(cursor, ")")])

    def wrap(self, cursor, change, before, after):
        self.add(cursor, change, [self.open(cursor, before), self.close(cursor, after)])

    def open(self, cursor, text):
        start, end = self.range(cursor)
        return (start, start, end - start, text, True)

    def close(self, cursor, text):
        start, end = self.range(cursor)
        return (end, end, end - start, text, False)

    def add(self, cursor, change, edits):
        start, end = self.range(cursor)
        if start >= end or not self.is_here(cursor):
            return
        if any(start < last and first < end for first, last in self.macros):
            return
        line = self.source.count(b"\n", 0, start)
        text = self.source.split(b"\n")[line].strip().decode()
        self.sites.append(Site(self.name, line + 1, text, change, edits))

    def text(self, cursor):
        start, end = self.range(cursor)
        return self.source[start:end]

    @staticmethod
    def range(cursor):
        return cursor.extent.start.offset, cursor.extent.end.offset


def mutated(source, sites):
    """Returns `source` (bytes) with the edits of all `sites`, whose numbers are set."""
    edits = []
    for site in sites:
        for start, end, length, text, opens in site.edits:
            # At one offset: what closes comes first, the innermost before the outer ones; then what opens, the
            # outermost first. Of equal ranges, the one that was found first is the outer one.
            nesting = (-length, site.number) if opens else (length, -site.number)
            edits.append((start, opens, nesting, end, text.replace("{n}", str(site.number))))
    out, at = [], 0
    for start, _, _, end, text in sorted(edits):
        out += [source[at:start], text.encode()]
        at = end
    return b"".join(out + [source[at:]])
