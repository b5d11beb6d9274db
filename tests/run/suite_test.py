"""A build and a suite of ./run test: what their logs and the last lines contain. cmake and ctest are replaced."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import unittest

TOP = pathlib.Path(__file__).resolve().parents[2]
TESTS = 12


class Suite(unittest.TestCase):
    def test_lists_the_ten_slowest_tests_in_its_log_and_ends_with_time_and_count(self):
        with tempfile.TemporaryDirectory() as folder:
            lines = "".join(f"echo '{number:>3}/{TESTS} Test #{number}: Subject.Does{number} .......   Passed    {number}.50 sec'\n"
                            for number in range(1, TESTS + 1))
            ctest = pathlib.Path(folder, "ctest")
            ctest.write_text(f"#!/bin/sh\n{lines}echo '100% tests passed, 0 tests failed out of {TESTS}'\n", encoding="utf-8")
            ctest.chmod(0o755)
            script = (f"ROOT={folder} LOGS={folder}/log JOBS=1; source tools/stage.sh; source tools/build.sh;"
                      "suite dev; count_line")
            done = subprocess.run(["bash", "-c", script], cwd=TOP, env=dict(os.environ, PATH=f"{folder}:{os.environ['PATH']}"),
                                  text=True, capture_output=True, check=False)
            log = pathlib.Path(folder, "log/test-dev.log").read_text(encoding="utf-8")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"^total time: \d+:\d\d min\n12 passed, 0 failed\n$")
        table = log[log.index("The slowest tests:"):]
        self.assertEqual(re.findall(r"([\d.]+) s  (\S+)", table),
                         [(f"{number}.50", f"Subject.Does{number}") for number in range(TESTS, TESTS - 10, -1)])

    def test_lists_the_ten_slowest_steps_of_a_build_in_its_log(self):
        with tempfile.TemporaryDirectory() as folder:
            tree = pathlib.Path(folder, "build/dev")
            tree.mkdir(parents=True)
            now = time.time_ns()
            steps = "".join(f"{100 * number}\t{300 * number}\t{now + 10**10}\tfile{number}.o\tabc\n" for number in range(1, TESTS + 1))
            (tree / ".ninja_log").write_text(f"# ninja log v5\n0\t99000\t{now - 10**10}\tbefore.o\tabc\n{steps}")
            cmake = pathlib.Path(folder, "cmake")
            cmake.write_text("#!/bin/sh\necho built\n", encoding="utf-8")
            cmake.chmod(0o755)
            script = (f"cd {folder}; ROOT={folder} LOGS={folder}/log JOBS=1; source {TOP}/tools/stage.sh;"
                      f"source {TOP}/tools/build.sh; build_preset dev")
            done = subprocess.run(["bash", "-c", script], env=dict(os.environ, PATH=f"{folder}:{os.environ['PATH']}"),
                                  text=True, capture_output=True, check=False)
            log = pathlib.Path(folder, "log/build-dev.log").read_text(encoding="utf-8")
        self.assertEqual(done.returncode, 0, done.stderr)
        table = log[log.index("The slowest steps of the build:"):]
        self.assertEqual(re.findall(r"([\d.]+) s  (\S+)", table),
                         [(f"{0.2 * number:.1f}", f"file{number}.o") for number in range(TESTS, TESTS - 10, -1)])


if __name__ == "__main__":
    unittest.main(argv=sys.argv)
