"""The example scripts do what they say."""

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


def test_the_means_of_a_log_are_told(run):
    assert "NAV_X: " in run("alog_means.py", TOP / "tests" / "golden" / "alog" / "run_001.alog")
