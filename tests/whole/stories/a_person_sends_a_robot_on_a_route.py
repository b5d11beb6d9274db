"""A robot drives a route that a person has given it, and the station's recording shows it afterwards.

README: A station for one robot or a thousand
"""
import os
import pathlib

from programs import Program, does, expect, robots, wait_for

ROBOT = """
name = "rover"
DefaultRunMode = 3
[body]
kind = "sim"
file = "{share}/worlds/room.toml"
"""


def rover():
    return (robots() or {}).get("rover", {})


def story():
    pathlib.Path("rover.toml").write_text(ROBOT.format(share=os.environ["CARIBOU_SHARE"]), encoding="utf-8")
    station = Program("station", "caribou", "station", "--record", "recordings")
    Program("robot", "caribou", "robot", "--config", "rover.toml")
    wait_for(lambda: rover().get("presence") == "live", 20, "the robot is live")

    does("route", "load", "rover", "0.8,0", "0.3,0")
    does("route", "start", "rover")
    wait_for(lambda: rover()["x"] > 0.6, 30, "it drives to the first point")
    wait_for(lambda: "arrived" in does("route", "show", "rover"), 30, "it drives the whole route")
    expect(abs(rover()["x"] - 0.3) < 0.2 and abs(rover()["y"]) < 0.2, f"it is at the last point: {rover()}")

    name = next(pathlib.Path("recordings").glob("*.mcap")).stem
    expect(name in does("recordings", "list"), "it is recorded")
    expect(station.end() == 0, "the station ends")
    Program("replay", "caribou", "station", "--replay", f"recordings/{name}.mcap").prints(f"replays the recording {name}")
    wait_for(lambda: rover().get("replay"), 20, "the past is shown as the past")
