"""tools/msg_to_cpp.py: its output, and its errors."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent.parent
MAKER = TOP / "tools" / "msg_to_cpp.py"
sys.path.insert(0, str(TOP / "tools"))

from msg.model import Type, snake  # noqa: E402
from msg.read_idl import read_idl  # noqa: E402
from msg.read_msg import read_msg  # noqa: E402


def run(files):
    """Returns the program's messages and the files it wrote."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = Path(folder, "in", name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        done = subprocess.run([sys.executable, "-B", MAKER, "in", "--out", "out", "--idl"], cwd=folder, text=True,
                              capture_output=True, check=False)
        made = {str(path.relative_to(Path(folder, "out"))): path.read_text(encoding="utf-8")
                for path in Path(folder, "out").rglob("*.*")}
        return done, made


class Faults(unittest.TestCase):
    CASES = {
        "int23 x": "a/msg/M.msg:1: there is no type `int23`; did you mean `int32`?",
        "# fine\nint32": "a/msg/M.msg:2: `int32` is no field: write `type name`",
        "int32 Big": "a/msg/M.msg:1: `Big` is no name of a field",
        "int32 two__": "is no name of a field",
        "int32 small=1": "`small` is no name of a constant",
        "uint8 X=256": "256 does not fit into uint8: 0 to 255",
        "int8 x -129": "-129 does not fit into int8",
        "bool b maybe": "`maybe` is no bool: write true or false",
        "float64 f one": "`one` is no float64",
        "int32 x\nstring x": "M.msg:2: `x` stands in line 1 already",
        "int32[3] x [1, 2]": "2 values for an array of 3",
        "int32[<=1] x [1, 2]": "2 values for an array of at most 1",
        "int32[0] x": "at least one element",
        "int32[<=] x": "lacks the bound",
        "int32<=3 x": "bounds a string or an array",
        "wstring x": "wstring is not supported",
        "N x": "there is no message `a/N`; did you mean `a/M`?",
        "std_msgs/Strign x": "there is no message `std_msgs/Strign`",
        "M x": "`a/M` contains itself: a/M -> a/M",
        "a/b/c/M x": "is no message: write `package/Name`",
    }

    def test_each_names_the_line_and_what_to_write(self):
        for text, sentence in self.CASES.items():
            with self.subTest(text=text):
                done, made = run({"a/msg/M.msg": text})
                self.assertEqual(done.returncode, 1)
                self.assertIn(sentence, done.stderr)
                self.assertNotIn("Traceback", done.stderr)
                self.assertEqual(made, {})

    def test_names_of_packages_and_files_are_checked(self):
        self.assertIn("`Big` is no name of a package", run({"Big/msg/M.msg": ""})[0].stderr)
        self.assertIn("`small` is no name of a message", run({"a/msg/small.msg": ""})[0].stderr)
        self.assertIn("no messages here", run({"a/M.msg": ""})[0].stderr)

    def test_idl_is_held_to_what_messages_can_be(self):
        cases = {
            "module a { module msg { struct M { lnog x; }; }; };": ":1: there is no type `lnog`; did you mean `long`?",
            "module a {\nunion U {}; };": ":2: `union` is not supported",
            "struct M { long x; };": "stands in no module",
            "module a { struct M { long x[2][3]; }; };": "an array of arrays",
            "module a { struct M { long x };": "`;` is missing before `}`",
            "module a { struct M { long x; }; }; }": "`}` closes nothing",
            "module a { struct M { $ }; };": "`$` is not understood",
        }
        for text, sentence in cases.items():
            with self.subTest(text=text):
                done, _ = run({"a/msg/M.idl": text})
                self.assertEqual(done.returncode, 1)
                self.assertIn(sentence, done.stderr)
                self.assertNotIn("Traceback", done.stderr)


class Reading(unittest.TestCase):
    def test_every_form_of_a_line(self):
        message = read_msg('int32 X = -5 # five\nstring S="a # b"\nstring<=4 t "hi"\nfloat64[2] p [0, 1.5]\n'
                           "Header header\nother/msg/Thing[<=3] things\nuint8[] raw", "a", "M", "M.msg")
        self.assertEqual([(c.name, c.value) for c in message.constants], [("X", -5), ("S", "a # b")])
        self.assertEqual([f.type for f in message.fields],
                         [Type("string", 4), Type("float64", None, "fixed", 2), Type("std_msgs/Header"),
                          Type("other/Thing", None, "bounded", 3), Type("uint8", None, "unbounded")])
        self.assertEqual([f.default for f in message.fields], ["hi", [0.0, 1.5], None, None, None])

    def test_idl_as_ros_2_writes_it(self):
        text = """// generated
            #include "std_msgs/msg/Header.idl"
            module a { module msg {
              typedef double double__3[3];
              module M_Constants { const octet KIND = 2; };
              @verbatim (language="comment", text="of a (thing)")
              struct M {
                std_msgs::msg::Header header;
                @default (value=0.0) double__3 p;
                sequence<a::msg::dds_::N_, 5> ns; sequence<string<7>> names;
                unsigned long long n; boolean flag;
              };
            }; };"""
        [message] = read_idl(text, "M.idl")
        self.assertEqual(message.key, "a/M")
        self.assertEqual([(c.name, c.value) for c in message.constants], [("KIND", 2)])
        self.assertEqual([f.type for f in message.fields],
                         [Type("std_msgs/Header"), Type("float64", None, "fixed", 3), Type("a/N", None, "bounded", 5),
                          Type("string", 7, "unbounded"), Type("uint64"), Type("bool")])

    def test_idl_that_was_written_reads_as_the_same_message(self):
        text = "bool b\nint8[3] i\nstring<=5[<=2] s\nN[] ns\nuint64 u\nfloat32 f"
        done, made = run({"a/msg/M.msg": text, "a/msg/N.msg": ""})
        self.assertEqual(done.returncode, 0, done.stderr)
        [again] = read_idl(made["idl/a/M.idl"], "M.idl")
        self.assertEqual([f.type for f in again.fields],
                         [f.type for f in read_msg(text, "a", "M", "M.msg").fields])
        self.assertEqual(read_idl(made["idl/a/N.idl"], "N.idl")[0].fields, [])

    def test_names_of_headers(self):
        self.assertEqual([snake(n) for n in ("MapMetaData", "ColorRGBA", "TFMessage", "Int32", "UInt8MultiArray")],
                         ["map_meta_data", "color_rgba", "tf_message", "int32", "u_int8_multi_array"])


if __name__ == "__main__":
    unittest.main()
