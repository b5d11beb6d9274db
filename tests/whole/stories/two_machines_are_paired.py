"""A robot and a station that share no key do not talk; after pairing they do, and after un-pairing they do not.

README: A station for one robot or a thousand
"""
import os
import pathlib
import re

from programs import Program, does, expect, robots, wait_for

ROBOT = """
name = "bot7"
DefaultRunMode = 3
ReceivePort = 9601
[body]
kind = "sim"
"""


def story():
    pathlib.Path("bot7.toml").write_text(ROBOT, encoding="utf-8")
    # Each machine has a folder of keys of its own.
    here = {**os.environ, "CARIBOU_KEYS": os.path.abspath("station-keys")}
    there = {**os.environ, "CARIBOU_KEYS": os.path.abspath("robot-keys")}
    made = does("pair", "make", "bot7", env=here)
    words = " ".join(re.findall(r"^  ((?:[a-z]{6} ?)+)$", made, re.MULTILINE))
    does("pair", "make", "another", env=there)  # so that it is not a first start, and knows no station
    Program("station", "caribou", "station", env=here)
    robot = Program("robot", "caribou", "robot", "--config", "bot7.toml", env=there)
    robot.prints("station")
    expect(not (robots() or {}).get("bot7", {}).get("run_mode"), "they do not talk")

    robot.end()
    does("pair", "add", "station", input=words, env=there)
    robot.start()
    wait_for(lambda: (robots() or {}).get("bot7", {}).get("presence") == "live", 20, "they talk")
    expect("DONE" in does("send", "bot7", "ping"), "a command is done")

    does("pair", "remove", "station", env=there)
    wait_for(lambda: robots()["bot7"]["presence"] != "live", 10, "they do not talk any more")
