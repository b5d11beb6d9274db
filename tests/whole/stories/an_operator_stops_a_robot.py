"""A stop stays, whatever happens to the robot, until a person releases it.

README: A robot with safe motors
"""
import os
import pathlib

from programs import Program, does, expect, fails, robots, wait_for


def rover():
    return (robots() or {}).get("rover")


def story():
    config = pathlib.Path(os.environ["CARIBOU_SHARE"], "robots/explorer.toml").read_text(encoding="utf-8")
    pathlib.Path("rover.toml").write_text(config.replace('"explorer"', '"rover"'), encoding="utf-8")
    Program("station", "caribou", "station")
    robot = Program("robot", "caribou", "robot", "--config", "rover.toml")
    wait_for(lambda: (shown := rover()) and shown["presence"] == "live", 20, "the robot is live")

    expect("DONE" in does("send", "rover", "full_stop"), "stopped")
    wait_for(lambda: rover()["stopped"], 3, "the stop is shown")

    # Neither a restart nor a change of the mode releases it.
    robot.kill()
    robot.start()
    wait_for(lambda: (shown := rover()) and shown["presence"] == "live", 20, "it is live again")
    expect(rover()["stopped"], "it is still stopped")
    does("send", "rover", "take_lease")
    does("send", "rover", "set_run_mode", "mode=3")
    expect("STOPPED" in fails("send", "rover", "move_forward", "level=1"), "it refuses to move")
    at = rover()

    # A person on the robot releases it, and it is driven.
    does("robot", "release", "--config", "rover.toml")
    wait_for(lambda: not rover()["stopped"], 3, "the release is shown")

    def moved():
        does("send", "rover", "spin_left", "level=2", "ttl=500ms")
        does("send", "rover", "move_forward", "level=1", "ttl=500ms")
        return abs(rover()["x"] - at["x"]) + abs(rover()["y"] - at["y"]) > 0.01
    wait_for(moved, 30, "it is driven")
