"""The rules by which documents_test.py runs blocks, on small documents."""
import os
import pathlib
import re
import tempfile
import time
import unittest
from unittest import mock

os.environ.setdefault("HOME", "/nonexistent")
import documents_test  # noqa: E402: it reads HOME

TOP = documents_test.TOP


def run(text):
    """Returns the faults of a document, each without its place."""
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            document = documents_test.Document("page.md")
            document.run(text)
        finally:
            os.chdir(before)
    return document.faults


def block(kind, body, directives=""):
    return (f"<!-- {directives} -->\n" if directives else "") + f"```{kind}\n{body}\n```\n\n"


class Rules(unittest.TestCase):
    def test_text_may_not_hide_commands(self):
        for line in ("$ caribou robots", "caribou db", "  ./run demo"):
            faults = run(block("text", f"some words\n{line}"))
            self.assertEqual(len(faults), 1, line)
            self.assertIn("commands in a text block are not run", faults[0])
        self.assertEqual(run(block("text", "the program caribou\n")), [])

    def test_files_need_a_reader(self):
        for kind, body in (("toml", "a = 1"), ("json", "{}")):
            self.assertIn("no command reads this block", run(block(kind, body))[0])
            self.assertEqual(run(block(kind, body, "file: it; check: test -s it")), [])
            self.assertIn("ended with 1", run(block(kind, body, "file: it; check: test ! -s it"))[0])
        with mock.patch.dict(documents_test.READERS, {"robot": "grep -q name {}"}):
            self.assertEqual(run(block("toml", 'name = "a"', "kind: robot")), [])
            self.assertIn("ended with 1", run(block("toml", 'nam = "a"', "kind: robot"))[0])

    def test_python_is_run(self):
        self.assertEqual(run(block("python", "import sys\nassert sys.argv[1] == 'x'", "arguments: x")), [])
        self.assertIn("AssertionError", run(block("python", "assert False"))[0])

    def test_output_is_compared(self):
        self.assertEqual(run(block("", "$ echo 7 robots\n9 robots")), [])
        self.assertIn("and not", run(block("", "$ echo 7 robots\n9 cubes"))[0])

    def test_a_command_that_hangs_costs_its_own_block_only(self):
        for full in (False, True):
            start = time.monotonic()
            with mock.patch.object(documents_test, "COMMAND_LIMIT", 0.5), mock.patch.object(documents_test, "FULL", full):
                faults = run(block("", "sleep 60") + block("", "true", "prepare: sleep 60") + block("", "false") +
                             block("", "true"))
            self.assertLess(time.monotonic() - start, 30)
            self.assertEqual(["does not end" in fault for fault in faults], [True, True, False])

    def test_a_preparation_that_fails_costs_its_own_block_only(self):
        faults = run(block("", "true", "prepare: false") + block("", "false"))
        self.assertEqual(len(faults), 2)

    def test_cpp_is_compiled_where_it_is_included(self):
        with tempfile.TemporaryDirectory() as folder:
            top = pathlib.Path(folder)
            (top / "tests/docs/cpp").mkdir(parents=True)
            (top / "tests/docs/cpp/page.cpp").write_text("#include <page.1.inc>\n", encoding="utf-8")
            (top / "bin").mkdir()
            with mock.patch("block_checks.TOP", top), mock.patch("block_checks.flags_of", lambda prefix: []):
                for body, expected in (("int x = 1;", 0), ("int x = y;", 1)):
                    (top / "page.md").write_text(block("cpp", body), encoding="utf-8")
                    faults, count = documents_test.cpp_faults(["page.md"], top, top / "bin")
                    self.assertEqual((len(faults), count), (expected, 1), faults)
                (top / "page.md").write_text(block("cpp", "int x = 1;") * 2, encoding="utf-8")
                faults, _ = documents_test.cpp_faults(["page.md"], top, top / "bin")
                self.assertEqual(faults, ["no file of tests/docs/cpp/ has `#include <page.2.inc>`"])

    def test_apps_lists_every_component(self):
        declared = re.findall(r"^\s*caribou_component\((\w+)", (TOP / "src/CMakeLists.txt").read_text(encoding="utf-8"), re.MULTILINE)
        listed = re.findall(r"^\| `(\w+)` \|", (TOP / "docs/apps.md").read_text(encoding="utf-8"), re.MULTILINE)
        self.assertGreater(len(declared), 5)
        self.assertEqual(set(declared) - set(listed), set())

    def test_an_installation_has_the_first_command_of_readme(self):
        first = documents_test.FENCE.search((TOP / "README.md").read_text(encoding="utf-8"))[3]
        self.assertTrue(first.startswith("caribou "), first)


if __name__ == "__main__":
    unittest.main()
