"""./run install: where it installs to, and what it prints. The tools that build are replaced."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

TOP = pathlib.Path(__file__).resolve().parents[2]


class Install(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        shutil.copy(TOP / "run", self.folder)
        shutil.copytree(TOP / "tools", self.folder / "tools", ignore=shutil.ignore_patterns("__pycache__"))
        for name in ("web/node_modules", "build/web", "bin", "src/data"):
            (self.folder / name).mkdir(parents=True)
        (self.folder / "src/data/Mode.msg").write_text("")
        (self.folder / "web/package-lock.json").write_text("{}")
        for name in ("cmake", "npm", "node"):
            tool = self.folder / "bin" / name
            tool.write_text(f'#!/bin/sh\n[ "$1" != --version ] || echo v18.0.0\necho {name} "$@" >>{self.folder}/calls\n')
            tool.chmod(0o755)

    def run_install(self, *words, path="", folder=None, before=()):
        environment = dict(os.environ, PATH=f"{self.folder}/bin:{os.environ['PATH']}{path}", CARIBOU_NO_SETUP="1")
        done = subprocess.run([*before, self.folder / "run", "install", *words], cwd=folder or self.folder,
                              env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        calls = self.folder / "calls"
        return done.returncode, done.stdout, calls.read_text() if calls.exists() else ""

    def test_installs_to_the_given_folder_and_names_the_program(self):
        prefix = self.folder / "there/it"
        code, output, calls = self.run_install(str(prefix))
        self.assertEqual(code, 0, output)
        self.assertIn(f"cmake --install build/release --prefix {prefix}\n", calls)
        self.assertIn(f"the program: {prefix}/bin/caribou\n", output)
        self.assertIn(f"export PATH={prefix}/bin:$PATH\n", output)

    def test_takes_a_relative_folder_and_is_silent_about_a_path_that_is_right(self):
        code, output, calls = self.run_install("out", path=f":{self.folder}/out/bin")
        self.assertEqual(code, 0, output)
        self.assertIn(f"--prefix {self.folder}/out\n", calls)
        self.assertNotIn("export PATH", output)

    def test_takes_a_relative_folder_from_where_it_is_called(self):
        elsewhere = self.folder / "elsewhere"
        elsewhere.mkdir()
        code, output, calls = self.run_install("out", folder=elsewhere)
        self.assertEqual(code, 0, output)
        self.assertIn(f"--prefix {elsewhere}/out\n", calls)

    @unittest.skipIf(os.geteuid() == 0 and int(pathlib.Path("/proc/self/uid_map").read_text().split()[2]) == 1,
                     "there is no other user here")
    def test_names_the_remedy_before_it_builds_if_the_folder_cannot_be_written_to(self):
        (self.folder / "bin/sudo").write_text(f"#!/bin/sh\necho sudo >>{self.folder}/calls\nexit 1\n")
        (self.folder / "bin/sudo").chmod(0o755)
        subprocess.run(["chmod", "-R", "a+rwX", self.folder], check=True)
        as_user = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] if os.geteuid() == 0 else []
        code, output, calls = self.run_install("/usr/none/caribou", before=as_user)
        self.assertEqual(code, 1, output)
        self.assertIn("you may not write to /usr\n", output)
        self.assertNotIn("cmake", calls)

    def test_refuses_options_and_further_words_before_it_builds(self):
        for words in (["--prefix"], ["a", "b"]):
            code, output, calls = self.run_install(*words)
            self.assertEqual((code, calls), (2, ""), output)


if __name__ == "__main__":
    unittest.main(argv=sys.argv)
