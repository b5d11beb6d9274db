"""Tests of behaviors and trees on a simulated robot, in virtual time.

    def test_it_winks_twice():
        with RobotInABox("my_tree.json") as box:
            box.advance(60)
            assert box.times_succeeded("wink") == 2

docs/behaviors.md is the guide.
"""

import asyncio
import io
import json
import os
import types
import typing
import weakref

from . import behaviors as _behaviors
from ._caribou import RobotBox


class Pose(typing.NamedTuple):
    """A place in the room, in meters, and a direction in radians."""

    x: float
    y: float
    heading: float


class _VirtualTimeLoop(asyncio.SelectorEventLoop):
    """Its time is that of the simulation, so that `asyncio.sleep` takes no real time."""

    now = 0.0

    def time(self):
        return self.now


class _Played:
    """The behaviors of this process, as the program of a simulated robot."""

    def __init__(self):
        self._loop = _VirtualTimeLoop()
        self._printed = io.BytesIO()
        self._program = _behaviors._Program(None, self._printed)

    def exchange(self, line, now):
        """Returns what the program prints."""
        self._loop.now = now
        self._loop.run_until_complete(self._turn(line))
        printed = self._printed.getvalue().decode()
        self._printed.seek(0)
        self._printed.truncate()
        return printed

    async def _turn(self, line):
        await asyncio.sleep(0)  # whose time has come
        await self._program.turn(line)

    @staticmethod
    async def _end():
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def close(self):
        self._loop.run_until_complete(self._end())
        self._loop.close()


def _text_of(source):
    """Returns the text: of a file if it is a path, of an object as JSON."""
    if isinstance(source, dict):
        return json.dumps(source)
    is_text = isinstance(source, str) and ("\n" in source or source.lstrip().startswith("{"))
    if is_text or source == "":
        return source
    with open(os.fspath(source), encoding="utf-8") as file:
        return file.read()


def _check_options(programs, stand_ins, bus_facts, rate):
    for name, given in (("programs", programs), ("stand_ins", stand_ins), ("bus_facts", bus_facts)):
        if isinstance(given, str):
            raise TypeError(f"`{name}` is a list, not a text")
    for each in programs or ():
        if not isinstance(each, types.ModuleType):
            raise TypeError(f"`programs` has modules that the test has imported, not {each!r}")
    if not 0 < rate <= 1000:
        raise ValueError(f"`rate` is a number of ticks per second above 0, up to 1000, not {rate}")


class _Closed:
    """In place of the robot after close()."""

    def __bool__(self):
        return False

    def __getattr__(self, name):
        raise RuntimeError("the robot in the box was closed")


class RobotInABox:
    """A simulated robot in a room, which runs a tree.

    `tree` is the path of a file, a dictionary as in such a file, or its text. It can name the behaviors, actions and
    conditions of `programs`, a list of modules; by default, of all that this process has imported. `room` is the path or
    text of a world file; if it is empty, the room has 6 m by 6 m and one cube, 1 m ahead of the robot, which is in the
    middle. `stand_ins` replace classes by a script, such as "go_to=succeed 2s,fail". The same calls give the same results
    on every machine. Raises ValueError with all errors of tree and room, and for the name of a behavior or fact that
    tree and robot do not have. All times are in seconds.
    """

    _box = None
    _played = None

    def __init__(self, tree, *, programs=None, room="", stand_ins=(), bus_facts=(), rate=10.0, seed=1):
        _check_options(programs, stand_ins, bus_facts, rate)
        _behaviors.register_subclasses()
        hello = _behaviors._Program.hello(None if programs is None else [module.__name__ for module in programs])
        self._played = _Played()
        this = weakref.ref(self)  # the box must not keep this object alive, which owns it
        try:
            self._box = RobotBox(_text_of(tree), _text_of(room), list(stand_ins), list(bus_facts), rate, seed,
                                 json.dumps(hello), lambda line: this()._exchange(line))
        except BaseException:
            self.close()
            raise

    def _exchange(self, line):
        return self._played.exchange(line, self._box.time() if self._box else 0.0)

    def close(self):
        """Ends the robot, and what its behaviors wait for."""
        self._box = _Closed()
        played, self._played = self._played, None
        if played:
            played.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __del__(self):
        self.close()

    def advance(self, seconds):
        """Lets time pass."""
        self._box.advance(seconds)

    def advance_until(self, condition, limit):
        """Lets time pass until the condition holds, which is called after each tick. Returns whether it did."""
        return self._box.advance_until(condition, limit)

    @property
    def time(self):
        """The time since the start."""
        return self._box.time()

    @property
    def stack(self):
        """The ids of the active behaviors, base first."""
        return self._box.stack()

    def is_active(self, behavior):
        """Whether the behavior with this id is active."""
        return self._box.is_active(behavior)

    def times_activated(self, behavior):
        """How often it was activated."""
        return self._box.times_activated(behavior)

    def times_succeeded(self, behavior):
        """How often it has ended as succeeded."""
        return self._box.times_succeeded(behavior)

    def times_failed(self, behavior):
        """How often it has ended as failed."""
        return self._box.times_failed(behavior)

    def failure(self, behavior):
        """Why its latest failure was one; empty if it never failed."""
        return self._box.failure(behavior).rstrip("\n")

    def ask(self, line):
        """The answer of the console of behaviors, such as `why wink`."""
        return self._box.ask(line)

    @property
    def log(self):
        """The lines of the robot's log."""
        return self._box.log()

    def fact(self, name):
        """The value of a fact; None if it has none, such as the distance of a cube out of sight."""
        return self._box.fact(name)

    def set_fact(self, name, value):
        """Sets a fact. The robot sets its own again in the next tick: set those by the room."""
        self._box.set_fact(name, value)

    def hear_bus(self, variable, value):
        """A variable of the bus that is in `bus_facts` is written."""
        self._box.hear_bus(variable, value)

    @property
    def published(self):
        """What the behaviors have written to the bus: pairs of variable and value, in order."""
        return self._box.published()

    @property
    def pose(self):
        """The true pose of the robot in the room."""
        return Pose(*self._box.pose())

    def set_battery(self, percent):
        """Sets the charge of its battery, 0 to 100 %."""
        if not 0 <= percent <= 100:
            raise ValueError(f"the charge of a battery is 0 to 100 %, not {percent}")
        self._box.set_battery(percent)

    def lift(self, lifted=True):
        """Lifts it from the floor, or puts it down."""
        self._box.lift(lifted)

    def cube_lights(self, cube=0):
        """The colors of the lights of a cube: (red, green, blue), each from 0 to 255."""
        return self._box.cube_lights(cube)

    def tap_cube(self, cube=0):
        """A person taps a cube."""
        self._box.tap_cube(cube)
