"""A robot that drives itself goes to its dock before its battery is empty.

README: A robot with safe motors
"""
import os
import pathlib

from programs import Program, does, expect, robots, wait_for

ROBOT = """
name = "rover"
DefaultRunMode = 3
[body]
kind = "sim"
file = "room.toml"
"""


def rover():
    return (robots() or {}).get("rover", {})


def story():
    room = pathlib.Path(os.environ["CARIBOU_SHARE"], "worlds/room.toml").read_text(encoding="utf-8")
    pathlib.Path("room.toml").write_text(room + "\n[battery]\nminutes = 30\nlevel = 0.24\n", encoding="utf-8")
    pathlib.Path("rover.toml").write_text(ROBOT, encoding="utf-8")
    Program("station", "caribou", "station")
    Program("robot", "caribou", "robot", "--config", "rover.toml")
    wait_for(lambda: rover().get("presence") == "live", 20, "the robot is live")
    does("route", "load", "rover", "0.8,0")
    does("route", "start", "rover")
    wait_for(lambda: rover()["x"] > 0.5, 30, "it leaves its dock")
    low = rover()["battery"]
    does("send", "rover", "set_run_mode", "mode=2")
    wait_for(lambda: rover()["battery"] > low + 0.005, 120, "it charges")
    expect(rover()["run_mode"] == "RM1" and abs(rover()["x"]) < 0.3, f"it is at its dock: {rover()}")
