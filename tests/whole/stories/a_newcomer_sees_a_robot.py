"""One command shows a robot that explores, and a page to watch it. Ctrl-C leaves nothing behind.

README: A robot with safe motors
"""
import pathlib
import re
import urllib.request

from programs import Program, expect, robots, wait_for


def story():
    demo = Program("demo", "caribou", "demo", "--port", "9680")
    demo.prints("Caribou is at  http://127.0.0.1:9680/")

    with urllib.request.urlopen("http://127.0.0.1:9680/", timeout=10) as page:
        expect("<title>Caribou" in page.read().decode(), "the page is served")
    before = wait_for(lambda: next((r for r in robots().values() if r["run_mode"] == "RM2"), None), 20, "it drives itself")
    wait_for(lambda: (now := robots()[before["name"]]) and abs(now["x"] - before["x"]) + abs(now["y"] - before["y"]) > 0.5,
             60, "it explores")

    expect(demo.end() == 0, "Ctrl-C ends it")
    left = [path.read_text(encoding="utf-8").replace("\0", " ") for path in pathlib.Path("/proc").glob("[0-9]*/cmdline")
            if path.exists()]
    expect(not [words for words in left if re.match(r"\S*caribou ", words)], "no program is left")
