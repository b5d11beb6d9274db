#!/usr/bin/env python3
"""Writes the seeds of the fuzz twins of src/wire from the golden files.

Each tests/golden/moos/X.hex becomes fuzz/corpus/packet_reader_fuzz/X.bin, and all that a client
says becomes one connection. What the fuzzer has found stands beside them under other names and is
left alone. Run it after a golden file was added.
"""
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
GOLDEN = TOP / "tests" / "golden" / "moos"
CORPUS = TOP / "fuzz" / "corpus" / "packet_reader_fuzz"


def main() -> None:
    units = {file.stem: bytes.fromhex(file.read_text()) for file in sorted(GOLDEN.glob("*.hex"))}
    asynchronous = [name for name in units if "_c2db" in name and name < "30"]
    units["connection_c2db"] = b"".join(units[name] for name in asynchronous)

    CORPUS.mkdir(parents=True, exist_ok=True)
    for name, unit in units.items():
        (CORPUS / f"{name}.bin").write_bytes(unit)
    print(f"{len(units)} files in {CORPUS.relative_to(TOP)}")


if __name__ == "__main__":
    main()
