"""Programs with behaviors, as a robot talks to them: docs/formats/behavior-program.md."""

import json
import socket
import subprocess
import sys
import textwrap

import pytest

PROGRAM = """
import asyncio
import caribou

caribou.fact("rounds", 0, "finished rounds")


class PatrolAndWink(caribou.Behavior):
    '''Goes to places.'''
    side = caribou.parameter(1.0, "in meters", low=0)

    def wants_to_be_activated(self):
        return self.facts.get("battery", 100) > 20 or caribou.no("the battery is low")

    async def on_activated(self):
        await self.go_to(self.side, 0)
        try:
            await self.do("wiat")
        except caribou.Failed as failed:
            self.log(f"failed: {failed}")
        self.set("rounds", self.facts["rounds"] + 1)
        await self.wait(5)

    def on_deactivated(self):
        self.log("has ended")


class Stays(caribou.Behavior):
    def on_activated(self):
        if self.id == "throws":
            raise RuntimeError("no idea")


@caribou.action
async def wave(robot, times=2):
    for _ in range(int(times)):
        robot.publish("WAVES", True)


@caribou.condition
def is_dark(facts, limit=3):
    print("is it dark?")
    return facts.get("lux", 0) < limit


caribou.run_behaviors()
"""


class Robot:
    """The robot's end of a program."""

    def __init__(self, path):
        self.process = subprocess.Popen([sys.executable, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True)
        self.hello = self.read()
        self.number = 0

    def read(self):
        line = self.process.stdout.readline()
        assert line, self.process.stderr.read()
        return json.loads(line)

    def tick(self, created=(), facts=None, calls=()):
        """Sends a tick, and returns the requests and answers up to the report on it."""
        self.number += 1
        values = [{"name": n, "value": {"flag" if isinstance(v, bool) else "number": v}} for n, v in (facts or {}).items()]
        self.process.stdin.write(json.dumps({
            "type": "tick", "tick": self.number, "time": 0, "skipped": 0, "created": list(created), "facts": values,
            "calls": [{"run": 0, "reason": "", **call} for call in calls], "gone": []}) + "\n")
        self.process.stdin.flush()
        answers, requests = [], []
        while True:
            report = self.read()
            answers += report["answers"]
            requests += report["requests"]
            if report["tick"] == self.number:
                return answers, requests

    def end(self):
        self.process.stdin.close()
        code = self.process.wait(10)
        return code, self.process.stderr.read()


def created(number, kind, name, identity="", **arguments):
    values = [{"name": n, "value": {"number": v}} for n, v in arguments.items()]
    return {"number": number, "kind": kind, "class": name, "id": identity, "arguments": values, "children": []}


@pytest.fixture(name="robot")
def started(tmp_path):
    path = tmp_path / "program.py"
    path.write_text(textwrap.dedent(PROGRAM), encoding="utf-8")
    robot = Robot(path)
    yield robot
    if robot.process.poll() is None:
        robot.process.kill()
        robot.process.wait()


def test_describes_its_classes(robot):
    classes = {each["name"]: each for each in robot.hello["classes"]}
    assert set(classes) == {"patrol_and_wink", "stays", "wave", "is_dark"}
    assert classes["patrol_and_wink"]["about"] == "Goes to places."
    side = classes["patrol_and_wink"]["parameters"][0]
    assert (side["name"], side["kind"], side["fallback"], side["low"]) == ("side", "number", {"number": 1.0}, 0)
    assert classes["wave"]["parameters"][0]["name"] == "wave", "the first parameter has the name of the action"
    assert robot.hello["facts"] == [{"name": "rounds", "about": "finished rounds", "value": {"number": 0}, "unit": ""}]
    assert robot.end()[0] == 0


def test_answers_and_acts(robot):
    answers, _ = robot.tick([created(1, "behavior", "patrol_and_wink", "p", side=2)], {"battery": 10, "rounds": 4},
                            [{"object": 1, "kind": "entered"}])
    assert answers == [{"object": 1, "yes": False, "why": "the battery is low"}]
    answers, _ = robot.tick(facts={"battery": 50})
    assert answers == [{"object": 1, "yes": True, "why": ""}]
    _, requests = robot.tick(calls=[{"object": 1, "kind": "activated", "run": 1}])
    assert requests == [{"object": 1, "kind": "delegate", "run": 1, "request": 1, "action": '{"go_to": 2, "y": 0}'}]
    _, requests = robot.tick(calls=[{"object": 1, "kind": "ended", "run": 1, "request": 1, "outcome": "succeeded"}])
    assert requests[0]["action"] == '"wiat"'
    _, requests = robot.tick(calls=[{"object": 1, "kind": "ended", "run": 1, "request": 2, "outcome": "failed",
                                     "reason": "no such action"}])
    assert {"object": 1, "kind": "log", "text": "failed: no such action"} in requests
    assert {"object": 1, "kind": "set", "name": "rounds", "value": {"number": 5}} in requests
    # It ends from outside: what it awaits is cancelled.
    _, requests = robot.tick(calls=[{"object": 1, "kind": "deactivated", "run": 1}])
    assert {"object": 1, "kind": "log", "text": "has ended"} in requests
    assert not any(request["kind"] == "finish" for request in requests)


def test_has_actions_and_conditions(robot):
    answers, requests = robot.tick([created(1, "action", "wave", wave=3), created(2, "condition", "is_dark", is_dark=2)],
                                   {"lux": 1}, [{"object": 2, "kind": "entered"}, {"object": 1, "kind": "activated", "run": 7}])
    assert answers == [{"object": 2, "yes": True, "why": ""}]
    assert [request["kind"] for request in requests] == ["publish"] * 3 + ["finish"]
    assert requests[-1]["run"] == 7 and requests[-1]["outcome"] == "succeeded"
    code, printed = robot.end()
    assert code == 0 and "is it dark?" in printed, "what it prints is not between the lines"


def test_an_exception_ends_one_behavior_only(robot):
    _, requests = robot.tick([created(1, "behavior", "stays", "throws"), created(2, "behavior", "stays", "stays")],
                             calls=[{"object": 1, "kind": "activated", "run": 1}, {"object": 2, "kind": "activated", "run": 1}])
    assert requests == [{"object": 1, "kind": "finish", "run": 1, "outcome": "failed", "text": "RuntimeError: no idea"}]
    assert "no idea" in robot.end()[1]


def test_reports_without_ticks(robot):
    for _ in range(3):
        assert robot.read()["type"] == "report"


def test_names_the_configuration_if_it_is_started_by_hand(tmp_path):
    path = tmp_path / "program.py"
    path.write_text(textwrap.dedent(PROGRAM), encoding="utf-8")
    done = subprocess.run(["script", "-qec", f"{sys.executable} {path}", "/dev/null"], text=True, capture_output=True,
                          timeout=20, check=False)
    assert "programs = [" in done.stdout


def started_with(tmp_path, text):
    path = tmp_path / "own.py"
    path.write_text("import caribou\n" + textwrap.dedent(text) + "\ncaribou.run_behaviors()\n", encoding="utf-8")
    return Robot(path)


def refused(tmp_path, text):
    """Returns what a program prints that ends before it has described its classes."""
    path = tmp_path / "own.py"
    path.write_text("import caribou\n" + textwrap.dedent(text) + "\ncaribou.run_behaviors()\n", encoding="utf-8")
    done = subprocess.run([sys.executable, path], stdin=subprocess.DEVNULL, text=True, capture_output=True, timeout=20, check=False)
    assert done.returncode != 0 and done.stdout == "", done.stdout
    return done.stderr


def test_the_same_exception_is_printed_once(tmp_path):
    robot = started_with(tmp_path, """
        class Patrol(caribou.Behavior):
            def wants_to_be_activated(self):
                return self.facts["bateri"] > 20

        @caribou.condition
        def is_late(facts):
            return facts["hour"] > 22
    """)
    answers, _ = robot.tick([created(1, "behavior", "patrol"), created(2, "condition", "is_late")],
                            calls=[{"object": 1, "kind": "entered"}, {"object": 2, "kind": "entered"}])
    assert answers == [{"object": 1, "yes": False, "why": "wants_to_be_activated raised KeyError: 'bateri'"},
                       {"object": 2, "yes": False, "why": "is_late raised KeyError: 'hour'"}]
    for _ in range(20):
        robot.tick()
    _, printed = robot.end()
    assert printed.count("KeyError: 'bateri'") == 1 and printed.count("KeyError: 'hour'") == 1, printed


def test_an_exception_that_lasts_is_counted(tmp_path):
    robot = started_with(tmp_path, """
        import types
        import caribou.behaviors
        moments = iter([0, 1, 2, 60, 61])
        caribou.behaviors.time = types.SimpleNamespace(monotonic=lambda: next(moments))

        @caribou.condition
        def is_late(facts):
            return facts["hour"] > 22
    """)
    robot.tick([created(1, "condition", "is_late")], calls=[{"object": 1, "kind": "entered"}])
    for _ in range(4):
        robot.tick()
    _, printed = robot.end()
    assert printed.count("KeyError: 'hour'") == 2 and "is_late has raised this 3 times since the last report" in printed, printed


def test_refuses_what_would_never_be_called_or_awaited(tmp_path):
    why = refused(tmp_path, """
        @caribou.condition
        async def is_late(facts):
            return False
    """)
    assert "the condition is_late() cannot be `async`" in why and "a behavior or an action" in why
    why = refused(tmp_path, """
        class Patrol(caribou.Behavior):
            async def on_activate(self):
                pass
    """)
    assert "Patrol.on_activate() is not a hook; did you mean `on_activated`?" in why
    why = refused(tmp_path, """
        class Patrol(caribou.Behavior):
            async def update(self):
                pass
    """)
    assert "Patrol.update() cannot be `async`" in why


def test_has_methods_of_its_own(tmp_path):
    robot = started_with(tmp_path, """
        class Patrol(caribou.Behavior):
            def on_goal_reached(self): pass
            def activate_lights(self): pass
            def date(self): pass
            def _update(self): pass
    """)
    assert robot.end()[0] == 0


def test_prints_of_the_module_are_not_between_the_lines(tmp_path):
    path = tmp_path / "own.py"
    path.write_text("import caribou\nclass Patrol(caribou.Behavior): pass\nprint('hello', flush=True)\n"
                    "caribou.run_behaviors()\n", encoding="utf-8")
    # As a robot starts it: its standard input is a socket.
    ours, theirs = socket.socketpair()
    with ours, theirs, subprocess.Popen([sys.executable, path], stdin=theirs, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True) as process:
        assert json.loads(process.stdout.readline())["type"] == "hello"
        ours.shutdown(socket.SHUT_WR)
        assert "hello" in process.communicate(timeout=10)[1]


def test_ends_with_one_line_if_a_class_is_gone(tmp_path):
    robot = started_with(tmp_path, """
        class Patrol(caribou.Behavior):
            pass
    """)
    with pytest.raises(AssertionError) as raised:
        robot.tick([created(1, "behavior", "patrol_three")])
    assert "the tree needs `patrol_three`, which own.py no longer has" in str(raised.value)
    assert robot.process.wait(10) == 2
    assert "Traceback" not in str(raised.value).split("assert ''")[0] and "Fatal" not in str(raised.value)


def test_ends_if_its_input_was_closed(tmp_path):
    path = tmp_path / "own.py"
    path.write_text("import os\nimport caribou\nclass Patrol(caribou.Behavior):\n    def on_init(self):\n"
                    "        os.dup2(os.open('/', os.O_RDONLY), 0)\ncaribou.run_behaviors()\n", encoding="utf-8")
    robot = Robot(path)
    robot.tick([created(1, "behavior", "patrol")])
    robot.process.stdin.write('{"type":"tick","tick":2,"facts":[],"created":[],"calls":[],"gone":[]}\n')
    robot.process.stdin.flush()
    robot.process.communicate(timeout=10)
    assert robot.process.returncode == 1


def test_a_class_has_the_parameters_of_its_base(tmp_path):
    robot = started_with(tmp_path, """
        class Base(caribou.Behavior):
            x = caribou.parameter(1.5)
            y = caribou.parameter(2.5)
            z = caribou.parameter(3.5)

        class Child(Base):
            y = caribou.parameter(4.5)
            z = 5

        class Grandchild(Child):
            w = caribou.parameter("")
    """)
    classes = {each["name"]: {p["name"]: p["fallback"] for p in each["parameters"]} for each in robot.hello["classes"]}
    assert classes["base"] == {"x": {"number": 1.5}, "y": {"number": 2.5}, "z": {"number": 3.5}}
    assert classes["child"] == {"x": {"number": 1.5}, "y": {"number": 4.5}}
    assert classes["grandchild"] == {"w": {"text": ""}, "x": {"number": 1.5}, "y": {"number": 4.5}}
    robot.end()
