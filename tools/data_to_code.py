#!/usr/bin/env python3
"""Generates code from the descriptions of Caribou's own data.

Reads FOLDER/*.msg, whose comments may have annotations (tools/data/notes.py), and writes
  --cpp OUT          OUT/data/<name>.hpp and OUT/data/data.cpp: structs, enumerations, JSON writers and readers,
                     JSON Schema
  --typescript FILE  types with checkers
  --docs PAGE...     the tables between `<!-- fields: Name -->` and `<!-- end of fields -->`
  --check-docs PAGE...  exits with 1 if a table differs from the description
A file that has not changed is not written.
"""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from data import notes, write_cpp, write_docs, write_typescript  # noqa: E402
from msg.model import Fault, check_name, snake  # noqa: E402
from msg.read_msg import read_msg  # noqa: E402


def read_folder(folder):
    messages = {}
    for path in sorted(folder.glob("*.msg")):
        check_name("message", path.stem, str(path), 1)
        message = read_msg(path.read_text(encoding="utf-8"), "caribou", path.stem, str(path), with_enums=True)
        messages[message.key] = message
    if not messages:
        raise Fault(str(folder), 1, "no descriptions here: expected Name.msg")
    return messages


def write(path, text):
    if path.exists() and path.read_text(encoding="utf-8") == text:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def files(options, ordered, messages):
    made = {}
    if options.cpp:
        made[options.cpp / "data/data.cpp"] = write_cpp.source(ordered, messages)
        for message in ordered:
            made[options.cpp / f"data/{snake(message.name)}.hpp"] = write_cpp.header(message, messages)
    if options.typescript:
        made[options.typescript] = write_typescript.source(ordered, messages)
    for page in options.docs:
        made[page] = write_docs.page(page.read_text(encoding="utf-8"), str(page), messages)
    return made


def stale_pages(pages, messages):
    for page in pages:
        text = page.read_text(encoding="utf-8")
        if write_docs.page(text, str(page), messages) != text:
            yield f"{page}: its tables differ from src/data: run tools/data_to_code.py src/data --docs {page}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("--cpp", type=Path, metavar="OUT")
    parser.add_argument("--typescript", type=Path, metavar="FILE")
    parser.add_argument("--docs", type=Path, nargs="+", default=[], metavar="PAGE")
    parser.add_argument("--check-docs", type=Path, nargs="+", default=[], metavar="PAGE")
    parser.add_argument("--list", action="store_true", help="only print the names of the files")
    options = parser.parse_args()
    try:
        messages = read_folder(options.folder)
        made = files(options, notes.check_data(messages), messages)
        stale = list(stale_pages(options.check_docs, messages))
    except Fault as fault:
        sys.exit(str(fault))
    for path, text in made.items():
        if options.list:
            print(path)
        else:
            write(path, text)
    if stale:
        sys.exit("\n".join(stale))


if __name__ == "__main__":
    main()
