"""tools/data_to_code.py: what it generates, and how it reports faults in descriptions."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent.parent
GENERATOR = TOP / "tools" / "data_to_code.py"
MODE = "# A mode. @enum\n\nuint8 ON=1  # @text(on)\nuint8 OFF=0\n"


def generate(folder, *options):
    return subprocess.run([sys.executable, "-B", GENERATOR, folder, *options], text=True, capture_output=True, check=False)


def run(files):
    """The result of the generator for these files, and what it wrote."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            Path(folder, name).write_text(text, encoding="utf-8")
        out = Path(folder, "out")
        done = generate(folder, "--cpp", out, "--typescript", out / "data.ts")
        return done, {path.name: path.read_text(encoding="utf-8") for path in out.rglob("*.*")}


class Faults(unittest.TestCase):
    CASES = {
        "int32 x # @unti(m)": "unknown annotation `@unti`; did you mean `unit`?",
        "int32 x # @unit": "`@unit` takes a value in parentheses",
        "int32 x # @optional(1)": "`@optional` takes no value in parentheses",
        "int32 x # @unit(m) @unit(s)": "`@unit` is given twice",
        "string x # @unit(m)": "`@unit` is for numbers, not for `x`",
        "int32 x # @digits(2)": "`@digits` is for real numbers",
        "int32 x # @range(1)": "`@range(1)` takes 2 numbers",
        "int32 x # @range(2, 1)": "`@range(2, 1)` is empty",
        "float64 x # @inline": "`@inline` is for messages",
        "Mode x # @inline": "`@inline` is for messages",
        "int32 x # @number(y)": "`@number` is for enumerations",
        "int32[] x # @nullable": "`@nullable` is for single values",
        "int32 x # @nullable @optional": "`@optional` is for fields that are not nullable",
        "int32 x # @base64": "`@base64` is for strings, not for `x`",
        "string[] x # @map": "`@map` is for lists of messages of a string and another field",
        "Mode x ONN": "`ONN` is not a value of Mode; did you mean `ON`?",
        "int32 x\nint32 y # @json(x)": "two members of the JSON object are named `x`",
        "int32 X=1": "constants belong to an enumeration",
        "int32 x # @since(3)": "`@since(3)`: the version after the first is 2",
        "Mood x": "there is no message `caribou/Mood`; did you mean `caribou/Mode`?",
    }

    def test_each_names_the_line_and_the_cause(self):
        for text, message in self.CASES.items():
            with self.subTest(text=text):
                done, made = run({"M.msg": "# A message.\n\n" + text, "Mode.msg": MODE})
                self.assertEqual(done.returncode, 1)
                self.assertIn(message, done.stderr)
                self.assertRegex(done.stderr, r"M\.msg:\d+: ")
                self.assertNotIn("Traceback", done.stderr)
                self.assertEqual(made, {})

    def test_messages_are_documented(self):
        self.assertIn("the message is not documented", run({"M.msg": "int32 x\n"})[0].stderr)

    def test_enumerations_are_checked(self):
        for text in ("# E. @enum\n\nint32 x\n", "# E. @enum\n\n", "# E. @enum\n\nuint8 A=1\nuint8 B=1\n"):
            with self.subTest(text=text):
                self.assertEqual(run({"M.msg": text})[0].returncode, 1)

    def test_a_tuple_has_single_values(self):
        self.assertIn("the fields of a tuple", run({"M.msg": "# A pair. @tuple\n\nint32[] x\n"})[0].stderr)


class TypeScript(unittest.TestCase):
    def test_types_follow_the_annotations(self):
        done, made = run({"Mode.msg": MODE, "Pair.msg": "# A pair. @tuple\n\nfloat64 a\nfloat64 b\n",
                          "Named.msg": "# A number.\n\nstring name\nint32 value\n",
                          "M.msg": "# M. @type(m)\n\nMode mode  # @number(code)\nstring s  # @nullable\n"
                                   "float64 f  # @optional @unit(m) How far.\nPair[] pairs\nNamed[] named  # @map\n"})
        self.assertEqual(done.returncode, 0, done.stderr)
        source = made["data.ts"]
        for line in ("export type Mode = 'on' | 'OFF';", "export type Pair = [a: number, b: number];", "  type: 'm';",
                     "  code: number;", "  mode: Mode;", "  s: string | null;", "  /** How far. [m] */", "  f?: number;",
                     "  pairs: Pair[];", "  named: Record<string, number>;", "  f: optional(number),"):
            self.assertIn(line + "\n", source)

    def test_what_is_only_recorded_is_no_type_of_the_page(self):
        done, made = run({"R.msg": "# R. @recorded\n\nShared shared\nOwn own\n", "Own.msg": "# Own.\n\nint32 a\n",
                          "Shared.msg": "# Shared.\n\nint32 a\n", "M.msg": "# M.\n\nShared shared\n"})
        self.assertEqual(done.returncode, 0, done.stderr)
        for name, shown in {"R": False, "Own": False, "Shared": True, "M": True}.items():
            self.assertEqual(f"export interface {name} " in made["data.ts"], shown, name)


class Schema(unittest.TestCase):
    def test_it_has_nothing_that_foxglove_cannot_read(self):
        done, made = run({"Pair.msg": "# A pair. @tuple\n\nfloat64 a\nfloat64 b\n",
                          "Named.msg": "# A number.\n\nstring name\nint32 value\n",
                          "M.msg": "# M.\n\nstring s  # @nullable\nstring data  # @base64\nPair[] pairs\nNamed[] named  # @map\n"})
        self.assertEqual(done.returncode, 0, done.stderr)
        schema = json.loads(re.search(r'json_schema<M>\(\) {\n    return R"json\((.*?)\)json"', made["data.cpp"])[1])
        self.assertEqual(schema["properties"], {
            "s": {"type": "string", "nullable": True}, "data": {"type": "string", "contentEncoding": "base64"},
            "named": {"type": "object", "properties": {}, "additionalProperties": {"type": "integer"}}})
        self.assertEqual(schema["$comment"], "pairs: list of [a, b]")
        self.assertEqual(schema["required"], ["s", "data", "named"])


class Cpp(unittest.TestCase):
    def test_nullable_real_numbers_are_unknown_until_they_are_set(self):
        done, made = run({"M.msg": "# M.\n\nfloat32 a  # @nullable\nfloat64 b  # @nullable\nfloat64 c\n"})
        self.assertEqual(done.returncode, 0, done.stderr)
        for line in ("#include <limits>", "    float a = std::numeric_limits<float>::quiet_NaN();",
                     "    double b = std::numeric_limits<double>::quiet_NaN();", "    double c = 0;"):
            self.assertIn(line + "\n", made["m.hpp"])


class Docs(unittest.TestCase):
    def test_the_tables_of_the_pages_are_current(self):
        pages = sorted((TOP / "docs" / "formats").glob("*.md"))
        done = generate(TOP / "src" / "data", "--check-docs", *pages)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_stale_table_is_found_and_rewritten(self):
        with tempfile.TemporaryDirectory() as folder:
            page = Path(folder, "page.md")
            page.write_text("# P\n\n<!-- fields: Battery -->\nold\n<!-- end of fields -->\nrest\n", encoding="utf-8")
            self.assertIn("its tables differ", generate(TOP / "src" / "data", "--check-docs", page).stderr)
            self.assertEqual(generate(TOP / "src" / "data", "--docs", page).returncode, 0)
            self.assertIn("| `amperes` | number, A, or null | Above 0 while it is being charged. |\n", page.read_text(encoding="utf-8"))
            self.assertEqual(generate(TOP / "src" / "data", "--check-docs", page).returncode, 0)

    def test_an_enumeration_has_its_values(self):
        with tempfile.TemporaryDirectory() as folder:
            page = Path(folder, "page.md")
            page.write_text("<!-- fields: ProgramCallKind -->\n<!-- end of fields -->\n", encoding="utf-8")
            self.assertEqual(generate(TOP / "src" / "data", "--docs", page).returncode, 0)
            self.assertIn("| value | meaning |\n|---|---|\n| `entered` | A behavior enters scope;", page.read_text(encoding="utf-8"))

    def test_an_unknown_message_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            page = Path(folder, "page.md")
            page.write_text("\n<!-- fields: Batery -->\n<!-- end of fields -->\n", encoding="utf-8")
            self.assertIn("page.md:2: there is no message `Batery`", generate(TOP / "src" / "data", "--docs", page).stderr)


PROGRAM = """
#include <cstdio>
#include "data/status.hpp"
#include "link/telemetry.hpp"
using namespace caribou;
// Without a NaN, which equals nothing.
data::Telemetry known() {
    data::Telemetry all;
    all.battery = {.level = 1, .volts = 12, .amperes = 0};
    all.right.speed = all.left.speed = 0;
    return all;
}
int main() {
    data::Status status;
    data::Telemetry sent = known();
    sent.odom_in_map.x = 2;
    sent.battery.celsius = 21.25F;
    sent.left.slip = "ice";
    Bytes bytes;
    link::append_telemetry(bytes, sent);
    auto telemetry = link::decode_telemetry(bytes);
    if (!telemetry || *telemetry != sent) return 2;
    // A program that knows more fields sends more; one that knows fewer sends less.
    bytes.resize(bytes.size() + 5);
    if (link::decode_telemetry(bytes).value_or(data::Telemetry{}) != sent) return 3;
    Bytes first_version;
    link::append_telemetry(first_version, known());
    Bytes block;
    append_added(block, known());
    if (block.empty() || block.size() > data::Telemetry::added_bytes) return 5;
    first_version.resize(first_version.size() - block.size());
    if (link::decode_telemetry(first_version).value() != known()) return 4;
    status.robot = *telemetry;
    const std::string json = data::to_json(status);
    const auto again = data::from_json<data::Status>(*read_json(json), "status");
    if (!again || again->robot->battery.celsius != 21.2F) return 1;
    std::puts(json.c_str());
    std::puts(std::string(data::json_schema<data::Status>()).c_str());
}
"""
PARTS = ("base/json_writer.cpp", "base/json_text.cpp", "base/json_node.cpp", "base/json_reader.cpp", "base/number_text.cpp",
         "base/check.cpp", "base/result.cpp", "base/limits.cpp", "data/json_reading.cpp", "link/telemetry.cpp")


class AddedField(unittest.TestCase):
    """A field that is added to one description arrives everywhere without another edit."""

    def test_it_crosses_the_link_and_is_in_the_api_the_schema_of_recordings_the_page_types_and_the_docs(self):
        with tempfile.TemporaryDirectory() as folder:
            described, out = Path(folder, "data"), Path(folder, "out")
            shutil.copytree(TOP / "src" / "data", described)
            with Path(described, "Battery.msg").open("a", encoding="utf-8") as battery:
                battery.write("float32 celsius  # @unit(°C) @digits(1) @since(2) Temperature.\n")
            with Path(described, "Wheel.msg").open("a", encoding="utf-8") as wheel:
                wheel.write("string<=9 slip  # @nullable @since(2) What it slips on.\n")
            page = Path(folder, "station-api.md")
            shutil.copy(TOP / "docs" / "formats" / "station-api.md", page)
            done = generate(described, "--cpp", out, "--typescript", out / "data.ts", "--docs", page)
            self.assertEqual(done.returncode, 0, done.stderr)

            source = (out / "data.ts").read_text(encoding="utf-8")
            self.assertIn("  /** Temperature. [°C] */\n  celsius?: number;\n", source)
            self.assertIn("  celsius: optional(number),\n", source)
            self.assertIn("| `battery.celsius` | number, °C | Temperature. |", page.read_text(encoding="utf-8"))

            Path(folder, "main.cpp").write_text(PROGRAM, encoding="utf-8")
            built = subprocess.run([os.environ.get("CXX", "g++"), "-std=c++23", f"-I{out}", f"-I{TOP / 'src'}", "-o",
                                    Path(folder, "main"), Path(folder, "main.cpp"), out / "data" / "data.cpp",
                                    *[TOP / "src" / part for part in PARTS], "-lfmt"], capture_output=True, text=True,
                                   check=False)
            self.assertEqual(built.returncode, 0, built.stderr)
            ran = subprocess.run([Path(folder, "main")], capture_output=True, text=True, check=False)
            self.assertEqual(ran.returncode, 0)
            written, schema = [json.loads(line) for line in ran.stdout.splitlines()]
            self.assertEqual(written["battery"]["celsius"], 21.2)
            self.assertEqual(schema["properties"]["battery"]["properties"]["celsius"],
                             {"type": "number", "description": "Temperature. [°C]"})


if __name__ == "__main__":
    unittest.main()
