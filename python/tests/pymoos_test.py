"""pymoos users change one import."""

import subprocess
import sys
from pathlib import Path

from conftest import DEADLINE


def test_a_script_for_pymoos_runs_with_one_changed_import(broker):
    script = Path(__file__).with_name("pymoos_script.py")
    done = subprocess.run([sys.executable, script, broker.host, str(broker.port)], timeout=3 * DEADLINE,
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "PONG = 1.0 from ponger" in done.stdout
    assert "raw b'\\x01\\x02'" in done.stdout
    assert "queue heard are you there? from pinger" in done.stdout
    assert done.stderr == ""
