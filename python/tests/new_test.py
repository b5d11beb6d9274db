"""What `caribou new` writes passes its own tests."""

import os
import pathlib
import subprocess
import sys

import pytest

from conftest import DEADLINE

PROGRAM = pathlib.Path(os.environ["CARIBOU_PROGRAM"])


@pytest.mark.parametrize("kind, count", [("behavior --python", 3), ("tree", 1), ("tree --python", 2), ("robot", 2), ("robot --python", 3)])
def test_is_tested(kind, count, tmp_path):
    made = subprocess.run([PROGRAM, "new", *kind.split(), "patrol", "--folder", tmp_path / "patrol"], capture_output=True, text=True,
                          timeout=DEADLINE)
    assert made.returncode == 0, made.stderr
    tests = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"], cwd=tmp_path / "patrol", capture_output=True,
                           text=True, timeout=60, env={**os.environ, "PATH": f"{PROGRAM.parent}:{os.environ['PATH']}"})
    assert f"{count} passed" in tests.stdout, tests.stdout + tests.stderr
