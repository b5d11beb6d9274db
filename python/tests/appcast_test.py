"""Reports of an app: a Python app and `caribou appcast`, each a separate process."""

import json
import os
import subprocess
import sys

import pytest

from conftest import DEADLINE

APP = """
import sys, caribou

class Probe(caribou.App):
    def __init__(self):
        super().__init__("pProbe")
        self.appcast(self.report)
    def on_start_up(self):
        self.add_config_warning("bogus_line=3")
        self.add_event("started")
    def on_connect_to_server(self):
        self.add_run_warning("no fix")
        self.add_run_warning("lost")
        self.retract_run_warning("lost")
    def report(self):
        return "Depth: 4 m\\nDensity: 1025"

sys.exit(Probe().run())
"""


@pytest.fixture
def app(broker, tmp_path):
    script = tmp_path / "app.py"
    script.write_text(APP)
    where = [f"--moos_host={broker.host}", f"--moos_port={broker.port}", "--moos_app_tick=20"]
    process = subprocess.Popen([sys.executable, script, *where])
    yield process
    process.kill()
    process.wait()


def appcast(broker, *words):
    return subprocess.run([os.environ["CARIBOU_PROGRAM"], "appcast", "--host", broker.host, "--port", str(broker.port),
                           *words], capture_output=True, text=True, timeout=DEADLINE)


def test_an_app_answers_requests_for_reports(broker, connect, mail_of, app):
    reports = mail_of(connect("observer"), "APPCAST", 0)
    assert reports.get(timeout=DEADLINE).source() == "pProbe"  # it is connected
    shown = appcast(broker)
    assert (shown.returncode, shown.stderr) == (0, "")
    assert shown.stdout.splitlines()[1].split()[:2] == ["#1", "pProbe"]
    assert shown.stdout.splitlines()[1].split()[3:] == ["1", "1"]

    lines = appcast(broker, "pProbe").stdout.splitlines()
    assert lines[0].startswith("pProbe #1")
    assert lines[1:8] == ["Configuration Warnings:", "  [1 of 1]: bogus_line=3", "Run Warnings:", "  [1]: no fix",
                          "Depth: 4 m", "Density: 1025", "Most Recent Events:"]

    report, = json.loads(appcast(broker, "--json").stdout)
    assert report["run_warnings"] == {"no fix": 1}
    assert report["messages"] == ["Depth: 4 m", "Density: 1025"]


def test_the_tool_ends_with_one_when_no_app_answers(broker):
    shown = appcast(broker, "--seconds", "0.5")
    assert shown.returncode == 1
    assert "no report within 0.5 s" in shown.stderr
