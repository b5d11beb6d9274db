"""The example scripts, and the first program of docs/python.md, behave as documented."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import DEADLINE

TOP = Path(__file__).parents[2]


@pytest.fixture
def run():
    def call(script, *words):
        done = subprocess.run([sys.executable, TOP / "examples" / "python" / script, *map(str, words)],
                              capture_output=True, text=True, timeout=DEADLINE)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return call


def test_what_one_publishes_the_other_hears(run, broker):
    assert run("publish.py", *broker) == "published SPEED, GREETING and PICTURE\n"
    assert "publish.py says GREETING is 'hello, bus'\n" in run("subscribe.py", *broker)


def test_the_app_dives(run, broker):
    there = f"--moos_host={broker.host}", f"--moos_port={broker.port}"
    assert run("depth_app.py", *there, "--moos_app_tick=50", "--TargetDepth=3") == \
        "down we go, to 3 m\narrived at 3 m\n"


def test_the_tests_of_the_patrol_pass():
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "patrol_and_wink_test.py"],
                          cwd=TOP / "examples" / "python", capture_output=True, text=True, timeout=100)
    assert done.returncode == 0 and "8 passed" in done.stdout, done.stdout


def test_the_means_of_a_log_are_told(run):
    assert "NAV_X: " in run("alog_means.py", TOP / "tests" / "golden" / "alog" / "run_001.alog")


def test_the_first_program_of_the_page_prints_what_is_written(broker, connect):
    page = (TOP / "docs/python.md").read_text(encoding="utf-8")
    program = next(block for block in re.findall(r"```python\n(.*?)```", page, re.DOTALL) if ".run(" in block)
    program = program.replace('"localhost", 9000', f'"{broker.host}", {broker.port}')
    connect("writer").notify("NAV_X", 3.25)
    with subprocess.Popen([sys.executable, "-u", "-c", program], stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout.readline() == "NAV_X 3.25\n"
        finally:
            process.kill()
