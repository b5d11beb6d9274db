"""A simulated robot in virtual time, with behaviors of this process: caribou.testkit."""

import asyncio
import math
import sys
import time
import weakref

import caribou
import pytest
from caribou.testkit import RobotInABox

caribou.fact("kit_rounds", 0, "finished rounds")


class KitPatrol(caribou.Behavior):
    """Goes there and back."""

    x = caribou.parameter(1.0, "in meters")

    def wants_to_be_activated(self):
        return self.facts.get("battery", 100) > 20 or caribou.no("the battery is low")

    async def on_activated(self):
        await self.go_to(self.x, 0)
        await asyncio.sleep(10)
        await self.go_to(0, 0)
        self.set("kit_rounds", self.facts["kit_rounds"] + 1)
        self.publish("ROUNDS", self.facts["kit_rounds"] + 1)


class KitFails(caribou.Behavior):
    async def on_activated(self):
        await self.do("sing")


class KitRaises(caribou.Behavior):
    def on_activated(self):
        raise RuntimeError("no idea")


@caribou.condition
def kit_is_tired(facts, rounds=2):
    return facts["kit_rounds"] >= rounds


def tree_of(*children, **more):
    behaviors = [{"class": "strict_priority", "id": "robot", "children": list(children)}]
    return {"base": "robot", "behaviors": behaviors, **more}


PATROL = tree_of({"class": "idle", "id": "rest", "wants": {"kit_is_tired": 2}}, {"class": "kit_patrol", "id": "patrol"},
                 {"class": "idle", "id": "wait"})


def test_runs_behaviors_of_the_test_itself():
    began = time.monotonic()
    with RobotInABox(PATROL) as box:
        assert box.advance_until(lambda: box.is_active("rest"), 300), box.ask("why")
        assert box.times_succeeded("patrol") == 2
        assert box.time > 20, "it has slept in virtual time"
        assert box.fact("kit_rounds") == 2
        assert box.published == [("ROUNDS", 1), ("ROUNDS", 2)]
        assert math.dist(box.pose[:2], (3, 3)) < 0.3, "it starts in the middle of the room"
        assert box.stack == ["robot", "rest"]
    assert time.monotonic() - began < 20


def test_repeats_itself_exactly():
    def poses():
        with RobotInABox(PATROL, seed=4) as box:
            result = []
            for _ in range(20):
                box.advance(2)
                result.append(box.pose)
            return result

    assert poses() == poses()


def test_knows_why_a_behavior_is_inactive():
    with RobotInABox(PATROL) as box:
        assert box.advance_until(lambda: box.is_active("patrol"), 2)
        box.set_battery(10)
        assert box.advance_until(lambda: box.stack == ["robot", "wait"], 120)
        box.advance(1)
        assert "the battery is low" in box.ask("why patrol")
        box.set_battery(90)
        box.advance(1)
        assert box.is_active("patrol")
        assert box.times_activated("patrol") == 2


def test_stands_in_for_classes_and_reports_failures():
    for name, expected in (("kit_fails", "the stand-in `sing` fails here"), ("kit_raises", "RuntimeError: no idea")):
        with RobotInABox(tree_of({"class": name, "id": "one"}), stand_ins=["sing=fail 1s"]) as box:
            assert box.advance_until(lambda robot=box: robot.times_failed("one") == 1, 5)
            assert box.failure("one") == expected


def test_has_a_cube_and_a_room(tmp_path):
    tree = tmp_path / "tree.json"
    tree.write_text("""{"base": "r", "behaviors": [{"class": "connect_to_cube", "id": "r", "children": [
        {"class": "act", "id": "wink", "action": {"sequence": [{"wait_until": {"fact": "cube_tapped"}},
                                                               {"cube_lights": "yellow", "for": "5s"}]}}]}]}""")
    with RobotInABox(tree) as box:
        assert box.advance_until(lambda: box.is_active("wink"), 60)
        box.advance(1)
        box.tap_cube()
        box.advance(1)
        assert box.cube_lights()[0] == (255, 255, 0)
    with pytest.raises(ValueError, match="room:1:"):
        RobotInABox(tree, room="walls = 3\n")


def test_sets_facts_and_variables():
    tree = tree_of({"class": "idle", "id": "dive", "wants": {"fact": "bus:DEPTH", ">": 2}},
                   {"class": "idle", "id": "greet", "wants": {"fact": "mood", "==": "good"}},
                   {"class": "idle", "id": "rest"}, facts={"mood": "bad"})
    with RobotInABox(tree, bus_facts=["DEPTH"]) as box:
        box.advance(1)
        assert box.is_active("rest")
        box.set_fact("mood", "good")
        box.advance(1)
        assert box.is_active("greet")
        box.hear_bus("DEPTH", 3)
        box.advance(1)
        assert box.is_active("dive")
        with pytest.raises(TypeError):
            box.set_fact("mood", [])


def test_refuses_names_and_numbers_that_it_does_not_have():
    with RobotInABox(tree_of({"class": "idle", "id": "walk"}, facts={"mood": "good"})) as box:
        for call in (box.is_active, box.times_activated, box.times_succeeded, box.times_failed, box.failure):
            with pytest.raises(ValueError, match="no behavior `wlak`; did you mean `walk`"):
                call("wlak")
        for call in (lambda: box.fact("batery"), lambda: box.set_fact("batery", 5)):
            with pytest.raises(ValueError, match="has the fact `batery`; did you mean `battery`"):
                call()
        assert box.fact("mood") == "good"
        with pytest.raises(ValueError, match="the fact `bus:DEPTH`"):
            box.hear_bus("DEPTH", 1)
        for seconds in (-1, math.nan, math.inf):
            with pytest.raises(ValueError, match="expected a time of 0 s or more, found"):
                box.advance(seconds)
        for call in (box.cube_lights, box.tap_cube):
            with pytest.raises(ValueError, match="expected a cube from 0 to 0, found 99"):
                call(99)


def test_refuses_a_tree_that_a_robot_would_refuse():
    with pytest.raises(ValueError, match="no class of behaviors is called `kit_patrl`; did you mean `kit_patrol`"):
        RobotInABox(tree_of({"class": "kit_patrl"}))
    with pytest.raises(FileNotFoundError):
        RobotInABox("missing.json")


def test_may_have_no_program_at_all():
    with RobotInABox(tree_of({"class": "idle", "id": "rest"}, facts={"kit_rounds": 5}), programs=[]) as box:
        box.advance(1)
        assert box.fact("kit_rounds") == 5, "a fact of the tree, because that of the module is not there"
    with pytest.raises(ValueError, match="no class of behaviors is called `kit_patrol`"):
        RobotInABox(PATROL, programs=[])
    with RobotInABox(PATROL, programs=[sys.modules[__name__]]) as box:
        box.advance(1)
        assert box.is_active("patrol")


def test_leaves_nothing_behind():
    box = RobotInABox(PATROL)
    box.advance(1)
    gone = weakref.ref(box)
    del box
    assert gone() is None


def test_raises_what_a_condition_of_the_test_raises():
    with RobotInABox(PATROL) as box:
        with pytest.raises(ZeroDivisionError):
            box.advance_until(lambda: 1 / 0, 1)
        box.advance(1)


def test_refuses_options_that_cannot_be():
    tree = {"base": "r", "behaviors": [{"class": "idle", "id": "r"}]}
    for options, error, text in (({"rate": 0}, ValueError, "`rate`"), ({"rate": -1}, ValueError, "`rate`"),
                                 ({"rate": math.nan}, ValueError, "`rate`"),
                                 ({"stand_ins": "hum"}, TypeError, "`stand_ins` is a list"),
                                 ({"programs": ["life.py"]}, TypeError, "modules that the test has imported")):
        with pytest.raises(error, match=text):
            RobotInABox(tree, **options)
    with RobotInABox(tree) as box:
        with pytest.raises(ValueError, match="0 to 100"):
            box.set_battery(200)
    with pytest.raises(RuntimeError, match="was closed"):
        box.advance(1)
