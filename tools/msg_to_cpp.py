#!/usr/bin/env python3
"""Generates C++ from ROS 2 messages.

Reads FOLDER/<package>/msg/*.msg and *.idl and writes below OUT, for each message, a struct with its codec
(`msg/<package>/<name>.hpp`), for each package one source file, the table of all messages
(`msg/schemas.cpp`) and the list of their types (`msg/all_messages.hpp`). With --idl it writes the same messages as IDL, with the names of ROS 2 on the wire,
for `idlc` of CycloneDDS.
"""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from msg import write_cpp, write_idl, write_schemas  # noqa: E402
from msg.model import Fault, check_all, check_name, snake  # noqa: E402
from msg.read_idl import read_idl  # noqa: E402
from msg.read_msg import read_msg  # noqa: E402


def read_folder(folder):
    messages = {}
    for path in sorted([*folder.glob("*/msg/*.msg"), *folder.glob("*/msg/*.idl")]):
        package, shown = path.parent.parent.name, str(path)
        check_name("package", package, shown, 1)
        check_name("message", path.stem, shown, 1)
        text = path.read_text(encoding="utf-8")
        read = [read_msg(text, package, path.stem, shown)] if path.suffix == ".msg" else read_idl(text, shown)
        for message in read:
            if message.key in messages:
                raise Fault(shown, 1, f"`{message.key}` is defined in {messages[message.key].path} already")
            messages[message.key] = message
    if not messages:
        raise Fault(str(folder), 1, "no messages here: they stand in <package>/msg/<Name>.msg")
    return messages


def files(messages, with_idl):
    ordered = check_all(messages)
    made = {Path("msg/schemas.cpp"): write_schemas.source(ordered),
            Path("msg/all_messages.hpp"): write_schemas.list_of_types(ordered)}
    for package in sorted({m.package for m in ordered}):
        own = [m for m in ordered if m.package == package]
        made[Path(f"msg/{package}/{package}.cpp")] = write_cpp.source(package, own, messages)
        for message in own:
            made[Path(f"msg/{package}/{snake(message.name)}.hpp")] = write_cpp.header(message, messages)
            if with_idl:
                made[Path(f"idl/{package}/{message.name}.idl")] = write_idl.source(message)
    return made


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--idl", action="store_true", help="write idl/<package>/<Name>.idl as well")
    parser.add_argument("--list", action="store_true", help="only print the names of what would be written")
    options = parser.parse_args()
    try:
        made = files(read_folder(options.folder), options.idl)
    except Fault as fault:
        sys.exit(str(fault))
    for name, text in made.items():
        path = options.out / name
        if options.list:
            print(path)
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
