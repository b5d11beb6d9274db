"""A simulated life of robot, station and bus, full of faults, is the same each time it is run with its seed.

README: Deterministic simulation
"""
import re

from programs import does, expect


def story():
    def life(seed):
        events = does("sim", "--seed", str(seed), "--hours", "0.02", "--robots", "2", "--trace", limit=60)
        return re.sub(r"^.*of computing.*$", "", events, flags=re.MULTILINE)
    first = life(7)
    expect(len(first.splitlines()) > 100, "something happens")
    expect(life(7) == first, "the same happens again")
    expect(life(8) != first, "another seed is another life")
