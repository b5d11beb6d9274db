"""./run bench: which benchmarks it runs, its table, and its exit status. Benchmarks and the tools that build are replaced."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

TOP = pathlib.Path(__file__).resolve().parents[2]


class Bench(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        shutil.copy(TOP / "run", self.folder)
        shutil.copytree(TOP / "tools", self.folder / "tools", ignore=shutil.ignore_patterns("__pycache__"))
        for name in ("bin", "bench", "build/bench"):
            (self.folder / name).mkdir(parents=True)
        self.write_program("bin/cmake", "exit 0")

    def write_program(self, name, text):
        program = self.folder / name
        program.write_text(f"#!/bin/sh\n{text}\n")
        program.chmod(0o755)

    def add_bench(self, name, line, status):
        (self.folder / f"bench/bench_{name}.cpp").write_text("")
        self.write_program(f"build/bench/bench_{name}", f"echo '{line}'\nexit {status}")

    def run_bench(self, *words):
        environment = dict(os.environ, PATH=f"{self.folder}/bin:{os.environ['PATH']}", CARIBOU_NO_SETUP="1")
        done = subprocess.run([self.folder / "run", "bench", *words], cwd=self.folder, env=environment, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        return done.returncode, done.stdout

    def test_ends_with_1_if_a_figure_missed_its_limit(self):
        self.add_bench("slow", '{"bench":"slow","metric":"write_s","value":0.7,"unit":"s","at_most":0.5,"missed":true}', 1)
        self.add_bench("good", '{"bench":"good","metric":"back_ok","value":1000,"unit":"of 1000","at_least":1000}', 0)
        code, output = self.run_bench("slow")
        self.assertEqual(code, 1, output)
        self.assertRegex(output, r"slow +write_s +0.7 +s .*<= 0.5, MISSED")
        code, output = self.run_bench("good")
        self.assertEqual(code, 0, output)
        self.assertRegex(output, r"good +back_ok +1,000 +of 1000 .*>= 1,000\n")


if __name__ == "__main__":
    unittest.main()
