#!/usr/bin/env python3
"""Behaviors of a robot in Python: it patrols between places, and winks at its cube after each round.

The robot starts this program, because patrol_and_wink.toml names it; patrol_in_python.json is its tree:

    caribou robot --config examples/robots/patrol_and_wink.toml
"""

import caribou

caribou.fact("rounds", 0, "finished rounds of the patrol")


class Patrol(caribou.Behavior):
    """Goes to the corners of a triangle."""

    side = caribou.parameter(1.0, "of the triangle, in meters", low=0.1, high=10)

    def wants_to_be_activated(self):
        if self.facts.get("battery", 100) < 20:
            return caribou.no("the battery is low")
        return True

    async def on_activated(self):
        for x, y in ((self.side, 0), (self.side, self.side), (0, 0)):
            await self.go_to(x, y)
        self.set("rounds", self.facts["rounds"] + 1)


class Wink(caribou.Behavior):
    """Winks at the connected cube."""

    times = caribou.parameter(2.0, "how often", low=1, high=100)

    async def on_activated(self):
        for _ in range(int(self.times)):
            await self.cube_lights("yellow", 0.5)
            await self.wait(0.5)


@caribou.condition
def has_patrolled(facts, rounds=1):
    """It has patrolled so many times."""
    return facts["rounds"] >= rounds


if __name__ == "__main__":
    caribou.run_behaviors()
