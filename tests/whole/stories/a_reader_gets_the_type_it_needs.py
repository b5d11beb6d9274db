"""A robot offers its scan in several types. A station whose page shows it gets the smallest, and the tools state why.

README: Topics that negotiate their types
"""
import pathlib
import shutil

from browser import Page
from programs import Program, does, expect, wait_for

TOPICS = "[topics]\ntransport = 'dds'\n"
ROBOT = """
name = "rover"
DefaultRunMode = 3
[body]
kind = "sim"
"""


def explained():
    return does("topics", "explain", "--transport", "dds", "/rover/scan", limit=30)


def story():
    pathlib.Path("rover.toml").write_text(ROBOT + TOPICS, encoding="utf-8")
    pathlib.Path("station.toml").write_text(TOPICS, encoding="utf-8")
    Program("station", "caribou", "station", "--config", "station.toml").prints("programs ask at")
    Program("robot", "caribou", "robot", "--config", "rover.toml").prints("is ready")
    wait_for(lambda: "/rover/scan" in does("topics", "list", "--transport", "dds"), 20, "the scan is offered")
    expect("there is no subscription" in explained(), "nothing is sent without readers")
    read = does("topics", "echo", "--transport", "dds", "/rover/behaviors", "--count", "1", limit=30)
    expect("tree" in read, f"another program reads a topic of the robot: {read}")
    if not shutil.which("chromium"):
        return
    page = Page("page", "/drive/rover")
    wait_for(lambda: page.shows("ranges now"), 20, "the page shows the scan")
    wait_for(lambda: "station_views gets delta" in explained(), 10, "the types are negotiated")
