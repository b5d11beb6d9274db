"""The public names of the package, and that its stubs match them."""

import ast
import subprocess
import sys
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


def test_another_python_is_told_which_one_to_take():
    script = "import sys; sys.modules['caribou._caribou'] = None; import caribou"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 1
    assert "not built for this Python" in done.stderr and "/usr/bin/python3" in done.stderr
