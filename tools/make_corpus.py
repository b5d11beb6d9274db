#!/usr/bin/env python3
"""Writes the seed corpora of the fuzz targets from the golden files.

Each tests/golden/moos/X.hex becomes fuzz/corpus/packet_reader_fuzz/X.bin, and all packets of a
client become one connection. For fuzz/corpus/broker_fuzz/ a client's packets are wrapped in the events that
src/bus/broker_fuzz.cpp reads. Inputs found by the fuzzer have other names and are not changed. Run it after a golden file was added.
"""
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
GOLDEN = TOP / "tests" / "golden" / "moos"
CORPUS = TOP / "fuzz" / "corpus"

# Events of src/bus/broker_fuzz.cpp, for the first of its four connections; add 1 to 3 for another.
CONNECT, PASS, READ_ALL, GREET, GREET_SYNCHRONOUS, SAY = (4 * event for event in (0, 2, 4, 5, 6, 7))


def say(slot: int, unit: bytes) -> bytes:
    return bytes([SAY + slot]) + len(unit).to_bytes(2, "little") + unit


def write(twin: str, units: dict[str, bytes]) -> None:
    folder = CORPUS / twin
    folder.mkdir(parents=True, exist_ok=True)
    for name, unit in units.items():
        (folder / f"{name}.bin").write_bytes(unit)
    print(f"{len(units)} files in {folder.relative_to(TOP)}")


def plays(units: dict[str, bytes]) -> dict[str, bytes]:
    """Yields each unit sent by one client with another one subscribed, and all of them in sequence."""
    listener = bytes([GREET + 1]) + say(1, units["15_wildcard_register_c2db"])
    rest = bytes([READ_ALL, READ_ALL + 1, PASS, 60, READ_ALL + 1])
    said = {name: unit for name, unit in units.items() if "_c2db" in name and "handshake" not in name}
    result = {}
    for name, unit in said.items():
        greet = GREET_SYNCHRONOUS if name >= "30" else GREET
        result[name] = listener + bytes([greet]) + say(0, unit) + rest
    handshake = [unit for name, unit in units.items() if name.startswith(("01_", "02_"))]
    whole = [say(0, unit) + rest for unit in [*handshake, *said.values()]]
    result["connection"] = listener + bytes([CONNECT]) + b"".join(whole)
    return result


def main() -> None:
    units = {file.stem: bytes.fromhex(file.read_text()) for file in sorted(GOLDEN.glob("*.hex"))}
    write("broker_fuzz", plays(units))
    asynchronous = [name for name in units if "_c2db" in name and name < "30"]
    units["connection_c2db"] = b"".join(units[name] for name in asynchronous)
    write("packet_reader_fuzz", units)


if __name__ == "__main__":
    main()
