"""One person stops many robots with one command, and releases them.

README: A station for one robot or a thousand
"""
import math

from programs import Program, does, robots, wait_for


def story():
    count = 12
    demo = Program("demo", "caribou", "demo", "--robots", str(count), "--port", "9680")
    demo.prints("Caribou is at")
    wait_for(lambda: len([r for r in (robots() or {}).values() if r["presence"] == "live"]) == count, 60, "all are live")

    does("send", "@all", "full_stop")
    wait_for(lambda: all(robot["stopped"] for robot in robots().values()), 3, "all are stopped")

    def places():
        return {name: (robot["x"], robot["y"]) for name, robot in robots().items()}

    def at_rest():
        before = places()
        for name in before:
            does("send", name, "ping")
        # Its estimate of the pose still varies by millimeters.
        return all(math.dist(place, before[name]) < 0.02 for name, place in places().items())
    wait_for(at_rest, 10, "all are at rest")

    for name in places():
        does("send", name, "release_stop")
    wait_for(lambda: not any(robot["stopped"] for robot in robots().values()), 5, "all are released")
