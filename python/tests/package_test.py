"""The package: what it offers, and that its stubs tell the truth."""

import ast
from pathlib import Path

import caribou
from caribou import _caribou


def test_everything_that_is_offered_is_there():
    assert all(hasattr(caribou, name) for name in caribou.__all__)


def test_the_stubs_name_what_the_module_has_and_nothing_else():
    stubs = ast.parse(Path(caribou.__file__).with_name("_caribou.pyi").read_text())
    told = {node.name: {member.name for member in node.body if isinstance(member, ast.FunctionDef)}
            for node in stubs.body if isinstance(node, ast.ClassDef)}
    functions = {node.name for node in stubs.body if isinstance(node, ast.FunctionDef)}
    public = {name for name in vars(_caribou) if not name.startswith("__")}
    assert public == set(told) | functions
    for name, members in told.items():
        there = {member for member in vars(getattr(_caribou, name)) if not member.startswith("_")}
        assert there == {member for member in members if not member.startswith("_")}, name


def test_it_is_built_for_the_python_that_debian_has():
    assert "cpython-311" in _caribou.__file__ or ".abi3" in _caribou.__file__
