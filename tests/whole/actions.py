"""What people do with a robot, step by step. Each action is a generator that yields the name of each step when it has begun."""
import json
import os
import pathlib
import re
import time

from programs import Failed, Program, caribou, expect, wait_for

BOT = """
name = "bot7"
DefaultRunMode = 3
ReceivePort = 9602
[body]
kind = "sim"
"""


class Person:
    """Uses the programs. While a fault lasts, nothing that the person does has to succeed, but a command has to end, and
    may not crash."""

    def __init__(self, page):
        self.page = page
        self.is_strict = True
        self.held = None  # key of the page
        self.running = {}  # programs that an action has started, by name

    def use(self, *words, **options):
        done = caribou(*words, **options)
        expect(done.returncode in (0,) if self.is_strict else (0, 1, 2),
               f"caribou {' '.join(words)}: {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout

    def awaits(self, condition, limit, what):
        if self.is_strict:
            wait_for(condition, limit, what)

    def presses(self, key):
        """Holds this key of the page instead of the last one, or none. Without a page, sends a command that lives as long."""
        if not self.page:
            return key and self.use("send", "rover", "spin_left", "level=1", "ttl=2s")
        released, self.held = self.held, key
        try:
            if released:
                self.page.key("keyUp", released)
            if key:
                self.page.key("keyDown", key)
        except (Failed, OSError):
            expect(not self.is_strict, "the page takes keys")

    def starts(self, name, *words, **options):
        if name in self.running:
            self.running[name].kill()
        self.running[name] = Program(name, "caribou", *words, **options)
        return self.running[name]

    def robot(self, name="rover"):
        """Returns what the station shows of a robot; empty if that is nothing."""
        shown = caribou("robots", "--json")
        found = [robot for robot in json.loads(shown.stdout) if robot["name"] == name] if shown.returncode == 0 else []
        return found[0] if found else {}

    def distance(self):
        robot = self.robot()
        return abs(robot.get("x") or 0) + abs(robot.get("y") or 0)


def moves():
    """Returns whether the robot moves; None if it does not answer."""
    shown = re.search(r"^moves (\w+)", caribou("send", "rover", "status").stdout, re.MULTILINE)
    return shown and shown[1] != "HALT"


def drive(person):
    person.presses("ArrowLeft")
    person.awaits(moves, 10, "the page drives the robot")
    yield "press"
    person.presses("ArrowRight")
    yield "turn"
    person.presses(None)
    person.awaits(lambda: moves() is False, 5, "the robot halts")
    yield "let_go"


def route(person):
    person.use("route", "load", "rover", "0.5,0", "0,0", "--rounds", "0")
    yield "load"
    person.use("route", "start", "rover")
    person.awaits(moves, 20, "it drives the route")
    yield "start"
    person.use("route", "pause", "rover")
    yield "pause"
    person.use("route", "resume", "rover")
    yield "resume"
    person.use("route", "abort", "rover")
    person.awaits(lambda: moves() is False, 5, "it halts")
    yield "abort"


def dock(person):
    person.use("route", "load", "rover", "0.6,0")
    person.use("route", "start", "rover")
    person.awaits(lambda: person.distance() > 0.4, 30, "it leaves its charger")
    yield "leave"
    docking = person.starts("dock", "send", "rover", "dock")
    person.awaits(lambda: person.robot().get("run_mode") == "RM2", 10, "it drives to its dock by itself")
    yield "send"
    person.awaits(lambda: not docking.runs(), 90, "it is docked")
    expect(not person.is_strict or docking.process.returncode == 0, "`send rover dock` succeeds")
    yield "arrive"
    person.use("send", "rover", "set_run_mode", "mode=3")


def record(person):
    name = f"bus{time.monotonic_ns()}"  # a file that exists is not replaced
    recorder = person.starts("record", "record", "--out", name)
    person.awaits(lambda: list(pathlib.Path(".").glob(f"{name}*.alog")), 10, "a recording is written")
    yield "begin"
    person.use("poke", "DEPTH=2")
    yield "write"
    recorder.end()
    if person.is_strict:
        expect("DEPTH" in "".join(log.read_text() for log in pathlib.Path(".").glob(f"{name}*.alog")), "the value is recorded")
    yield "end"


def pair(person):
    there = {**os.environ, "CARIBOU_KEYS": os.path.abspath("bot-keys")}
    pathlib.Path("bot7.toml").write_text(BOT, encoding="utf-8")
    made = person.use("pair", "make", "bot7")
    yield "make"
    words = " ".join(re.findall(r"^  ((?:[a-z]{6} ?)+)$", made, re.MULTILINE))
    person.use("pair", "add", "station", input=words, env=there)
    yield "add"
    robot = person.starts("bot7", "robot", "--config", "bot7.toml", env=there)
    person.awaits(lambda: person.robot("bot7").get("presence") == "live", 20, "the paired robot is live")
    yield "connect"
    person.use("pair", "remove", "station", env=there)
    person.use("pair", "remove", "bot7")
    person.awaits(lambda: person.robot("bot7").get("presence") != "live", 10, "the robot is not connected any more")
    yield "remove"
    robot.end()


ACTIONS = {
    drive: ["press", "turn", "let_go"],
    route: ["load", "start", "pause", "resume", "abort"],
    dock: ["leave", "send", "arrive"],
    record: ["begin", "write", "end"],
    pair: ["make", "add", "connect", "remove"],
}
