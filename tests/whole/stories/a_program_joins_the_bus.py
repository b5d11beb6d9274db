"""The program in README, ten lines of C++, is compiled with the installed libraries, and computes what the tools show.

README: Apps in ten lines
"""
import os
import pathlib
import re
import subprocess

from programs import Program, does, expect, value_of, wait_for


def story():
    prefix = pathlib.Path(os.environ["CARIBOU_SHARE"]).parents[1]
    readme = (prefix / "share/doc/caribou/README.md").read_text(encoding="utf-8")
    pathlib.Path("depth.cpp").write_text(re.search(r"^```cpp\n(.*?)^```", readme, re.DOTALL | re.MULTILINE)[1], encoding="utf-8")
    environment = {**os.environ, "PKG_CONFIG_PATH": str(prefix / "lib/pkgconfig")}
    subprocess.run("g++ -std=c++23 depth.cpp -o pDepth $(pkg-config --cflags --libs caribou-bus)", shell=True, check=True,
                   env=environment)
    Program("broker", "caribou", "db").prints("caribou db")
    app = Program("app", "./pDepth")
    wait_for(lambda: "pDepth" in does("clients"), 20, "the program is on the bus")
    does("poke", "PRESSURE=20.12")
    wait_for(lambda: value_of("DEPTH") == 2, 5, "it computes the depth")
    expect(app.end() == 0, "Ctrl-C ends it")
