#!/usr/bin/env python3
"""Tests of trees and behaviors on a simulated robot, in virtual time: minutes of its life take milliseconds.

    python3 -m pytest examples/python/patrol_and_wink_test.py

The same patrol is written in data (patrol_and_wink.json) and in Python (patrol_and_wink.py, patrol_in_python.json).
"""

import math
from pathlib import Path

import patrol_and_wink
import pytest
from caribou.testkit import RobotInABox

TREES = Path(__file__).resolve().parents[1] / "trees"


@pytest.fixture(name="box", params=[("patrol_and_wink.json", []), ("patrol_in_python.json", [patrol_and_wink])],
                ids=["data", "python"])
def robot_in_a_box(request):
    tree, programs = request.param
    with RobotInABox(TREES / tree, programs=programs) as box:
        yield box


def test_it_winks_after_each_round(box):
    assert box.advance_until(lambda: box.times_succeeded("wink") == 2, 300), box.ask("why")
    assert box.fact("rounds") >= 2
    assert box.times_succeeded("patrol") >= 2


def test_it_passes_its_places(box):
    start = box.pose
    nearest = {place: math.inf for place in ((1, 0), (1, 1), (0, 0))}

    def has_made_a_round():
        at = (box.pose.x - start.x, box.pose.y - start.y)
        for place in nearest:
            nearest[place] = min(nearest[place], math.dist(at, place))
        return box.fact("rounds") == 1

    assert box.advance_until(has_made_a_round, 120), box.ask("why")
    assert all(distance < 0.3 for distance in nearest.values()), nearest


def test_it_does_something_else_when_its_battery_is_low(box):
    assert box.advance_until(lambda: box.is_active("patrol"), 10)
    box.set_battery(10)
    assert box.advance_until(lambda: box.is_active("rest"), 120), box.ask("why")
    rounds = box.fact("rounds")
    box.advance(5)
    assert box.fact("rounds") == rounds


def test_the_cube_glows_while_it_winks(box):
    assert box.advance_until(lambda: box.is_active("wink"), 120), box.ask("why")
    assert box.advance_until(lambda: box.cube_lights()[0] == (255, 255, 0), 2)
