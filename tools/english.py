#!/usr/bin/env python3
"""Counts words that good documentation avoids, per 1,000 words: in the comments of C++ sources, and in the string
literals of programs, which users read. In comments also the word "returns", which contracts use. Called by ./run lint;
fails above a limit.

Usage: tools/english.py [--by-module] [--show] [PATH...]
--show lists the string literals with such words.
"""

import pathlib
import re
import sys

TOP = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ["src", "apps", "bench", "python", "tests", "examples"]

# Whose strings users read; those of tests are left out.
PROGRAMS = ["src", "apps"]
NOT_SHOWN = re.compile(r"(_test|_fuzz|_rig|_contract)\.[ch]pp$")

# Name, pattern, and the maximum (for RETURNS: the minimum) per 1,000 words.
ROWS = [
    ("tell, told", r"\b(tells?|told|telling)\b", 0.3),
    ("say, said", r"\b(says?|said|saying)\b", 0.3),
    ("stand(s)", r"(?<!\ba )(?<!\bthe )(?<!-)\b(stands?|stood)\b(?!-)", 0.3),
    ("nobody, somebody, whoever", r"\b(nobody|somebody|whoever|no one|everybody)\b", 0.3),
    ("sentences opening with What is/was", r"(?:^|[.;:!?]\s+)what (?:is|was|are|were|has|a|the|it|comes|came)\b", 0.3),
]
IS_NO = ("is no", r"(?<!there )\b(?:is|are|was) no (?!(?:longer|more)\b)", 0.3)
RETURNS = ("returns", r"\breturns?\b", 10.0)


def comments(text):
    """Returns the text of all comments, consecutive lines joined."""
    text = re.sub(r'"(?:\\.|[^"\\\n])*"', '""', text)
    found = re.findall(r"//[/!<]*([^\n]*)|/\*(.*?)\*/", text, re.S)
    return "\n".join(line or block for line, block in found)


def literals(text):
    """Returns the string literals that have a blank, those of one expression joined."""
    text = re.sub(r"//[^\n]*|/\*.*?\*/", lambda found: "" if text[found.start() - 1:found.start()] != ":" else found[0],
                  text, flags=re.S)
    raw = re.findall(r'R"\w*\((.*?)\)\w*"', text, re.S)
    text = re.sub(r'R"\w*\(.*?\)\w*"', "0", text, flags=re.S)
    text = re.sub(r"^\s*#[^\n]*|'(?:\\.|[^'\\\n])'", "0", text, flags=re.M)
    text = re.sub(r'"\s*\n\s*"', "", text)
    raw = [literal for literal in raw if "=>" not in literal and "</" not in literal]  # not of the broker's page
    return [literal for literal in raw + re.findall(r'"((?:\\.|[^"\\\n])*)"', text) if " " in literal]


def check_literals():
    """Prints the shares of avoided words in string literals; returns whether one is above its limit."""
    found = [(file.relative_to(TOP), literal) for folder in PROGRAMS for file in sorted((TOP / folder).rglob("*.[ch]pp"))
             if not NOT_SHOWN.search(file.name) for literal in literals(file.read_text())]
    words = max(sum(len(re.findall(r"[a-z][a-z'-]+", literal.lower())) for _, literal in found), 1)
    failed = False
    shares = []
    for row, pattern, limit in ROWS + [IS_NO]:
        hits = [(file, literal) for file, literal in found for _ in re.findall(pattern, literal.lower(), re.M)]
        shares.append(f"{row} {1000 * len(hits) / words:.2f}")
        if "--show" in sys.argv:
            for file, literal in hits:
                print(f"{row}: {file}: {literal}")
        if 1000 * len(hits) / words > limit:
            print(f"error: `{row}` {1000 * len(hits) / words:.2f} per 1,000 words of string literals; at most {limit}: "
                  "tools/english.py --show lists them")
            failed = True
    print(f"string literals: {words} words; " + ", ".join(shares))
    return failed


def main():
    paths = [word for word in sys.argv[1:] if not word.startswith("--")] or FOLDERS
    files = [file for path in paths for file in
             ([TOP / path] if (TOP / path).is_file() else sorted((TOP / path).rglob("*.[ch]pp")))]
    groups = {}
    for file in files:
        parts = file.resolve().relative_to(TOP).parts
        name = "/".join(parts[:2]) if "--by-module" in sys.argv else "all"
        groups.setdefault(name, []).append(comments(file.read_text()))
    failed = False
    for name, texts in groups.items():
        text = "\n".join(texts).lower()
        words = max(len(re.findall(r"[a-z][a-z'-]+", text)), 1)
        shares = {row: 1000 * len(re.findall(pattern, text, re.M)) / words for row, pattern, _ in ROWS + [RETURNS]}
        print(f"{name}: {words} words; " + ", ".join(f"{row} {share:.2f}" for row, share in shares.items()))
        if paths == FOLDERS and name == "all":
            for row, _, limit in ROWS:
                if shares[row] > limit:
                    print(f"error: `{row}` {shares[row]:.2f} per 1,000 words of comments; at most {limit}")
                    failed = True
            if shares["returns"] < RETURNS[2]:
                print(f"error: `returns` {shares['returns']:.2f} per 1,000 words; at least {RETURNS[2]}")
                failed = True
    if paths == FOLDERS:
        failed = check_literals() or failed
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
