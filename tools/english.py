#!/usr/bin/env python3
"""Counts words in the comments of C++ sources that good documentation avoids, per 1,000 words, and the word "returns",
which contracts use. Called by ./run lint; fails above a limit.

Usage: tools/english.py [--by-module] [PATH...]
"""

import pathlib
import re
import sys

TOP = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ["src", "apps", "bench", "python", "tests", "examples"]

# Name, pattern, and the maximum (for RETURNS: the minimum) per 1,000 words of comments.
ROWS = [
    ("tell, told", r"\b(tells?|told|telling)\b", 0.3),
    ("say, said", r"\b(says?|said|saying)\b", 0.3),
    ("stand(s)", r"\b(stands?|stood)\b", 0.3),
    ("nobody, somebody, whoever", r"\b(nobody|somebody|whoever|no one|everybody)\b", 0.3),
    ("sentences opening with What is/was", r"(?:^|[.;:!?]\s+)what (?:is|was|are|were|has|a|the|it|comes|came)\b", 0.3),
]
RETURNS = ("returns", r"\breturns?\b", 10.0)


def comments(text):
    """Returns the text of all comments, consecutive lines joined."""
    text = re.sub(r'"(?:\\.|[^"\\\n])*"', '""', text)
    found = re.findall(r"//[/!<]*([^\n]*)|/\*(.*?)\*/", text, re.S)
    return "\n".join(line or block for line, block in found)


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
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
