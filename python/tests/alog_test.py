"""Log files, valid and malformed."""

import csv
import io
import os
import subprocess
from pathlib import Path

import pytest

import caribou

GOLDEN = Path(__file__).parents[2] / "tests" / "golden" / "alog"


def log_of(folder, *lines):
    path = folder / "run.alog"
    path.write_bytes("\n".join(("%% LOGSTART 1800000000.5",) + lines).encode() + b"\n")
    return path


def test_records_have_their_fields_and_kinds(tmp_path):
    log = caribou.read_alog(log_of(tmp_path, "0.5 NAV_X pNav -3.25", "%% STRING ROUTE",
                                   "1.25 MODE pHelm:loiter:2 SURVEY and return", "2 ROUTE pHelm 7"))
    assert list(log) == [(0.5, "NAV_X", "pNav", "", -3.25),
                         (1.25, "MODE", "pHelm", "loiter:2", "SURVEY and return"),
                         (2.0, "ROUTE", "pHelm", "", "7")]
    assert log.log_start == 1800000000.5
    assert log.passed_over == 0


def test_values_beside_the_log_are_looked_up_there(tmp_path):
    (tmp_path / "run.blog").write_bytes(b"\x00\x01\xffline\nline")
    binary, text = caribou.read_alog(log_of(
        tmp_path, "0 IMAGE iCamera <MOOS_BINARY>File=elsewhere/run.blog,Offset=0,Bytes=3</MOOS_BINARY>",
        "%% STRING NOTE", "0 NOTE me <MOOS_BINARY>File=run.blog,Offset=3,Bytes=9</MOOS_BINARY>"))
    assert binary.value == b"\x00\x01\xff"
    assert text.value == "line\nline"


@pytest.mark.parametrize("size", [4, 10**18])
def test_a_reference_behind_the_end_of_its_file_says_so(tmp_path, size):
    (tmp_path / "run.blog").write_bytes(b"abc")
    log = caribou.read_alog(log_of(
        tmp_path, f"0 IMAGE iCamera <MOOS_BINARY>File=run.blog,Offset=0,Bytes={size}</MOOS_BINARY>"))
    with pytest.raises(ValueError, match="run.blog ends before the value at 0"):
        list(log)


def test_what_makes_no_sense_is_passed_over_and_counted(tmp_path):
    log = caribou.read_alog(log_of(tmp_path, "what is this", "1 X me 2"))
    assert [record.variable for record in log] == ["X"]
    assert log.passed_over == 1


def test_an_empty_file_is_an_empty_log_and_no_file_is_an_error(tmp_path):
    path = tmp_path / "empty.alog"
    path.write_bytes(b"")
    assert list(caribou.read_alog(path)) == []
    with pytest.raises(FileNotFoundError):
        caribou.read_alog(tmp_path / "missing.alog")


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*.alog")), ids=lambda path: path.stem)
def test_golden_logs_hold_what_the_program_finds_in_them(path):
    told = subprocess.run([os.environ["CARIBOU_PROGRAM"], "alog", "csv", path], capture_output=True, check=True,
                          text=True)
    rows = list(csv.DictReader(io.StringIO(told.stdout, newline="")))
    assert [(r.variable, r.time) for r in caribou.read_alog(path)] == \
        [(row["variable"], float(row["time"])) for row in rows]
