"""Ctrl-C ends ./run: at every stage, with exit code 130, and no later stage begins.

Runs a copy of ./run whose tools are replaced. A replaced tool behaves like ninja or npm: it reports
that it was started, waits, and exits with an ordinary code when it is interrupted.
"""
import os
import pathlib
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

TOP = pathlib.Path(__file__).resolve().parents[2]
TOOL = """#!/usr/bin/env bash
echo "$(basename "$0") $*" >>"{calls}"
case "$(basename "$0") $*" in
    "node --version") echo v18.0.0 ;;
    {waits}*)
        trap 'exit 2' INT
        echo >"{ready}"
        while true; do read -r -t 60 <>"{never}"; done ;;
esac
exit 0
"""


class Interrupt(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        shutil.copy(TOP / "run", self.folder)
        shutil.copytree(TOP / "tools", self.folder / "tools", ignore=shutil.ignore_patterns("__pycache__"))
        for name in ("web/node_modules", "build/web", "bin", "bench", "src/data"):
            (self.folder / name).mkdir(parents=True)
        (self.folder / "src/data/Mode.msg").write_text("")
        (self.folder / "web/page.ts").write_text("")
        (self.folder / "web/package-lock.json").write_text("{}")
        (self.folder / "CMakePresets.json").write_text("{}")
        os.mkfifo(self.folder / "ready")
        os.mkfifo(self.folder / "never")

    def interrupt(self, words, waits):
        """Interrupts `./run WORDS` while the tool `waits` runs. Returns exit code, output, later calls."""
        text = TOOL.format(calls=self.folder / "calls", ready=self.folder / "ready",
                           never=self.folder / "never", waits=waits.replace(" ", r"\ "))
        for tool in ("cmake", "ctest", "npm", "node", "clang-format-19", "git", "shellcheck"):
            path = self.folder / "bin" / tool
            path.write_text(text)
            path.chmod(0o755)
        ready = os.open(self.folder / "ready", os.O_RDONLY | os.O_NONBLOCK)
        self.addCleanup(os.close, ready)
        environment = dict(os.environ, PATH=f"{self.folder}/bin:{os.environ['PATH']}", CARIBOU_NO_SETUP="1")
        process = subprocess.Popen([self.folder / "run", *words], cwd=self.folder, env=environment, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
        try:
            readable, _, _ = select.select([ready], [], [], 20)
            self.assertTrue(readable, f"`{waits}` was not reached")
            before = (self.folder / "calls").read_text()
            os.killpg(process.pid, signal.SIGINT)  # like a terminal
            output, _ = process.communicate(timeout=20)
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        return process.returncode, output, (self.folder / "calls").read_text()[len(before):]

    def check(self, words, waits):
        code, output, later = self.interrupt(words, waits)
        self.assertEqual(code, 130, output)
        self.assertEqual(later, "", "a later stage began:\n" + output)

    def test_ends_a_test_run_while_it_builds(self):
        self.check(["test"], "cmake --build")

    def test_ends_a_quick_test_run_while_it_configures(self):
        self.check(["test", "--quick"], "cmake --preset")

    def test_ends_a_build_while_the_page_is_built(self):
        self.check(["build"], "npm ci")

    def test_ends_a_demo_while_the_page_is_built(self):
        self.check(["demo"], "npm run")

    def test_ends_a_package_while_it_builds(self):
        self.check(["package"], "cmake --build")


if __name__ == "__main__":
    unittest.main(argv=sys.argv)
