"""Behaviors, actions and conditions of a robot in Python.

A program registers its classes and calls run_behaviors(); the robot starts it (key `ai.programs`), and trees name
the classes. docs/python.md is the guide, docs/formats/behavior-program.md describes the lines that are exchanged.
"""

import asyncio
import difflib
import inspect
import json
import os
import stat
import sys
import threading
import time
import traceback

VERSION = 1
# Interval of reports; an answer counts for 0.1 s.
_REPORT_PERIOD = 0.04
# The same exception of the same function is printed at most once in this time, in seconds.
_SAME_EXCEPTION_PERIOD = 60


class Failed(Exception):
    """What a behavior delegated to has failed, or ended in another way; also raised to fail oneself."""


class No:
    """The answer of a behavior that does not want control; false."""

    def __init__(self, why=""):
        self.why = str(why)

    def __bool__(self):
        return False


def no(why=""):
    """Returns the answer no, with the reason that people are shown."""
    return No(why)


class Parameter:
    """A parameter that files of trees can set. Its default, or its type, tells its kind."""

    def __init__(self, default=None, about="", *, kind=None, low=None, high=None):
        kinds = {bool: "flag", int: "number", float: "number", str: "text"}
        self.kind = kind or kinds.get(type(default))
        if self.kind not in ("flag", "number", "text", "duration"):
            raise TypeError("a parameter needs a default of type bool, int, float or str, or a kind: "
                            "flag, number, text or duration")
        self.default, self.about, self.low, self.high = default, about, low, high

    def describe(self, name, required=None):
        return {"name": name, "kind": self.kind, "about": self.about,
                "required": self.default is None if required is None else required,
                "fallback": _to_value(self.default), "low": self.low, "high": self.high}


def parameter(default=None, about="", *, kind=None, low=None, high=None):
    """Declares a parameter of a behavior, as a member of its class: `speed = caribou.parameter(0.2, "in m/s")`.

    Without a default, files must give it, and `kind` is needed. A `duration` is a number of seconds here.
    """
    return Parameter(default, about, kind=kind, low=low, high=high)


def _to_value(value):
    if value is None:
        return {}
    if isinstance(value, bool):
        return {"flag": value}
    if isinstance(value, (int, float)):
        return {"number": value}
    return {"text": str(value)}


def _from_value(value):
    for kind in ("flag", "number", "text"):
        if kind in value:
            return value[kind]
    return None


def _about(code):
    return (inspect.getdoc(code) or "").split("\n")[0][:400]


def _class_name(cls):
    """`PatrolAndWink` is `patrol_and_wink` in files."""
    name = cls.__name__
    return "".join(("_" if i and c.isupper() else "") + c.lower() for i, c in enumerate(name))


class _Robot:
    """What all code of a program can use."""

    def __init__(self, program, number):
        self._program = program
        self._number = number

    @property
    def facts(self):
        """The facts of the robot, by name; a dictionary that must not be changed. Unknown ones are missing."""
        return self._program.facts

    def set(self, fact, value):
        """Sets a fact that the tree or this program declares, before the next tick."""
        self._program.request(object=self._number, kind="set", name=fact, value=_to_value(value))

    def publish(self, variable, value):
        """Writes a variable of the bus."""
        self._program.request(object=self._number, kind="publish", name=variable, value=_to_value(value))

    def log(self, text):
        """Writes a line to the log of the robot."""
        self._program.request(object=self._number, kind="log", text=str(text)[:400])


def _keep_output_for_robot():
    """Prints go to standard error from now on if a robot has started the program: its lines are on standard output."""
    try:
        is_of_robot = stat.S_ISSOCK(os.fstat(0).st_mode)
    except OSError:
        return
    if is_of_robot and sys.stdout is sys.__stdout__:
        sys.stdout = sys.stderr


class Behavior(_Robot):
    """A behavior of a robot. Derive a class from it; in files, `PatrolAndWink` is the class `patrol_and_wink`.

    The hooks are those of the engine (docs/behaviors.md). on_activated() may be `async`: the behavior then ends
    when it returns, and fails with an exception. Otherwise it stays active until finish(), fail(), or its parent
    ends it. The parameters are members: their values are those of the file.
    """

    def __init_subclass__(cls, **options):
        super().__init_subclass__(**options)
        _keep_output_for_robot()

    max_children = 0
    id = ""
    children = ()
    _run = 0
    _task = None

    def on_init(self):
        """Called once, when the tree was loaded."""

    def on_entered_activatable_scope(self):
        pass

    def wants_to_be_activated(self):
        """Returns True, or caribou.no("why not"). Called after every tick while it is in scope, also while active."""
        return True

    def on_activated(self):
        pass

    def update(self):
        """Called after every tick while it is active or in scope. Ticks may be skipped."""

    def on_deactivated(self):
        pass

    def on_left_activatable_scope(self):
        pass

    @property
    def is_active(self):
        return self._run != 0

    def finish(self):
        """Ends as succeeded."""
        self._end("succeeded", "")

    def fail(self, why):
        self._end("failed", str(why))

    def _end(self, outcome, why):
        if self._run:
            self._program.request(object=self._number, kind="finish", run=self._run, outcome=outcome, text=why[:400])

    async def do(self, action, value=None, **parameters):
        """Performs an action of trees, and returns when it has succeeded: `await self.do("go_to", 1, y=2)`.

        Raises Failed if it does not. `action` may also be the whole object as in a file.
        """
        if isinstance(action, str):
            described = action if value is None and not parameters else {action: value, **parameters}
        else:
            described = action
        await self._program.delegate(self, {"action": json.dumps(described)})

    async def run(self, child):
        """Gives control to a child, by its id, and returns when it has succeeded."""
        await self._program.delegate(self, {"child": child})

    async def go_to(self, x, y):
        """Goes to a place of the map, in meters."""
        await self.do({"go_to": x, "y": y})

    async def turn(self, degrees):
        """Turns in place, to the left."""
        await self.do({"turn": degrees})

    async def drive(self, movement, seconds):
        """Moves like the command, such as MOVE_FW_2."""
        await self.do({"drive": movement, "for": f"{seconds}s"})

    async def wait(self, seconds):
        await self.do({"wait": f"{seconds}s"})

    async def cube_lights(self, color, seconds, blink=None):
        """Lights the connected cube. `blink` is the time on and off, in seconds."""
        described = {"cube_lights": color, "for": f"{seconds}s"}
        if blink is not None:
            described["blink"] = f"{blink}s"
        await self.do(described)


_HOOKS = [name for name in vars(Behavior) if name.startswith("on_")] + ["wants_to_be_activated", "update"]
_PLAIN_HOOKS = [name for name in _HOOKS if name != "on_activated"]


def _check_hooks(cls):
    """Refuses what would never be called, or never be awaited."""
    for name in dir(cls):
        if name.startswith("_") or not callable(getattr(cls, name)):
            continue
        if name in _PLAIN_HOOKS and inspect.iscoroutinefunction(getattr(cls, name)):
            raise TypeError(f"{cls.__name__}.{name}() cannot be `async`; of the hooks, only on_activated() can")
        likeness = 0.8 if name.startswith("on_") else 0.85
        near = [] if hasattr(Behavior, name) else difflib.get_close_matches(name, _HOOKS, 1, likeness)
        if near:
            raise TypeError(f"{cls.__name__}.{name}() is not a hook; did you mean `{near[0]}`? Otherwise choose a name "
                            "that differs more, or begins with an underscore")


class Action(_Robot):
    """What an action may use: passed to its function as the first argument."""

    _run = 0
    _task = None


_classes = {}
_facts = []


def _add(kind, name, code, parameters, max_children=0):
    _keep_output_for_robot()
    if (kind, name) in _classes:
        raise ValueError(f"there are two {kind}s `{name}`")
    _classes[kind, name] = {"kind": kind, "name": name, "code": code, "about": _about(code),
                            "parameters": parameters, "max_children": max_children}


def behavior(cls):
    """Registers a class of behaviors. Classes that derive from Behavior in the program itself need no decorator."""
    _check_hooks(cls)
    # A base class that is registered already has the defaults in place of its parameters.
    parameters = {}
    for each in reversed(cls.__mro__):
        own = vars(each).get("_caribou_parameters") or {n: p for n, p in vars(each).items() if isinstance(p, Parameter)}
        parameters = {n: p for n, p in parameters.items() if n in own or n not in vars(each)} | own
    parameters = dict(sorted(parameters.items()))
    _add("behavior", _class_name(cls), cls, {n: p.describe(n) for n, p in parameters.items()}, cls.max_children)
    cls._caribou_parameters = parameters
    for name, each in parameters.items():
        setattr(cls, name, each.default)
    return cls


def _function_parameters(function, skip):
    """The parameters after the first `skip`; the first one has the name of the function in files."""
    described = {}
    names = list(inspect.signature(function).parameters.values())[skip:]
    kinds = {bool: "flag", int: "number", float: "number", str: "text"}
    for i, each in enumerate(names):
        default = None if each.default is inspect.Parameter.empty else each.default
        kind = kinds.get(type(default)) or kinds.get(each.annotation, "number")
        name = function.__name__ if i == 0 else each.name
        described[each.name] = Parameter(default, kind=kind).describe(name, required=default is None)
    return described


def action(function):
    """Registers an action: `async def wave(robot, times=2)` is `{"wave": 2}` in files.

    It ends when the function returns, and fails with an exception. `robot` has facts, set, publish and log.
    """
    _add("action", function.__name__, function, _function_parameters(function, 1))
    return function


def condition(function):
    """Registers a condition: `def is_dark(facts, limit=3)` is `{"is_dark": 3}` in files.

    It is called after every tick while the condition matters, with the facts as a dictionary.
    """
    if inspect.iscoroutinefunction(function):
        raise TypeError(f"the condition {function.__name__}() cannot be `async`, because it answers at once; what "
                        "takes time belongs into a behavior or an action, which sets a fact for the condition")
    _add("condition", function.__name__, function, _function_parameters(function, 1))
    return function


def fact(name, value, about="", unit=""):
    """Declares a fact with its value at the start, which also tells its type."""
    _keep_output_for_robot()
    _facts.append({"name": name, "about": about, "value": _to_value(value), "unit": unit,
                   "module": sys._getframe(1).f_globals.get("__name__")})


def _in_words(error):
    return f"{type(error).__name__}: {error}"[:400]


def _described(each):
    return {**{k: each[k] for k in ("kind", "name", "about", "max_children")},
            "parameters": list(each["parameters"].values())}


class _Program:
    """The connection to the robot, on one asyncio loop; lines are read on a thread of their own."""

    def __init__(self, source, sink):
        self.facts = {}
        self._source, self._sink = source, sink
        self._objects = {}
        self._answers = {}
        self._changed = []
        self._requests = []
        self._waiting = {}
        self._last_request = 0
        self._tick = 0
        self._watched = {}
        self._exceptions = {}

    # To the robot.

    def request(self, **members):
        self._requests.append(members)

    def _send(self, line):
        self._sink.write(json.dumps(line, separators=(",", ":")).encode() + b"\n")
        self._sink.flush()

    def _report(self):
        requests, self._requests = self._requests[:1024], self._requests[1024:]
        changed, self._changed = self._changed, []
        self._send({"type": "report", "tick": self._tick, "answers": changed, "requests": requests})

    def _answer(self, number, answer):
        why = "" if answer else getattr(answer, "why", "")
        told = (bool(answer), why[:200])
        if self._answers.get(number) != told:
            self._answers[number] = told
            self._changed.append({"object": number, "yes": told[0], "why": told[1]})

    async def delegate(self, owner, what):
        if not owner._run:
            raise Failed("it is not active")
        self._last_request += 1
        number = self._last_request
        ended = asyncio.get_running_loop().create_future()
        self._waiting[number] = ended
        self.request(object=owner._number, kind="delegate", run=owner._run, request=number, **what)
        try:
            outcome, reason = await ended
        except asyncio.CancelledError:
            self.request(object=owner._number, kind="cancel", run=owner._run)
            raise
        finally:
            self._waiting.pop(number, None)
        if outcome != "succeeded":
            raise Failed(reason or outcome)

    # From the robot.

    def _create(self, plan):
        each = _classes.get((plan["kind"], plan["class"]))
        if each is None:
            program = os.path.basename(sys.argv[0])
            print(f"the tree needs `{plan['class']}`, which {program} no longer has; the classes of a program can change "
                  "only when the robot is started again", file=sys.stderr)
            sys.exit(2)
        arguments = {a["name"]: _from_value(a["value"]) for a in plan["arguments"]}
        names = {p["name"]: n for n, p in each["parameters"].items()}
        values = {names[name]: value for name, value in arguments.items() if name in names}
        number = plan["number"]
        if plan["kind"] == "behavior":
            made = each["code"].__new__(each["code"])
            _Robot.__init__(made, self, number)
            made.id, made.children = plan["id"], tuple(plan["children"])
            for name, value in values.items():
                setattr(made, name, value)
            self._objects[number] = made
            self._guard(made, made.on_init)
            return
        made = Action(self, number)
        made._code, made._values = each["code"], values
        self._objects[number] = made

    def _print_exception(self, code, error):
        """Prints the traceback: the same exception of the same function the first time, then once a minute at most."""
        cause = (getattr(code, "__qualname__", str(code)), type(error), str(error)[:200])
        now = time.monotonic()
        printed, skipped = self._exceptions.get(cause, (None, 0))
        if printed is not None and now - printed < _SAME_EXCEPTION_PERIOD:
            self._exceptions[cause] = (printed, skipped + 1)
            return
        if len(self._exceptions) >= 256:  # messages that differ each time
            self._exceptions.clear()
        self._exceptions[cause] = (now, 0)
        if printed is not None:
            print(f"{cause[0]} has raised this {skipped + 1} times since the last report:", file=sys.stderr)
        traceback.print_exception(error, file=sys.stderr)

    def _guard(self, owner, hook, *arguments):
        """Calls a hook. One that raises ends its behavior, and only that. Returns No with the exception then."""
        try:
            return hook(*arguments)
        except Exception as error:  # pylint: disable=broad-except
            self._print_exception(hook, error)
            if owner._run:
                self.request(object=owner._number, kind="finish", run=owner._run, outcome="failed",
                             text=_in_words(error))
            return no(f"{getattr(hook, '__name__', 'it')} raised {_in_words(error)}")

    async def _run_to_end(self, owner, run, coroutine):
        outcome, why = "succeeded", ""
        try:
            await coroutine
        except asyncio.CancelledError:
            return
        except Failed as failure:
            outcome, why = "failed", str(failure)
        except Exception as error:  # pylint: disable=broad-except
            self._print_exception(coroutine, error)
            outcome, why = "failed", _in_words(error)
        self.request(object=owner._number, kind="finish", run=run, outcome=outcome, text=why[:400])

    def _activate(self, owner, run):
        owner._run = run
        if isinstance(owner, Behavior):
            begun = self._guard(owner, owner.on_activated)
        else:
            begun = self._guard(owner, owner._code, owner, *owner._values.values())
            if not inspect.isawaitable(begun):
                self.request(object=owner._number, kind="finish", run=run, outcome="succeeded")
        if inspect.isawaitable(begun):
            owner._task = asyncio.get_running_loop().create_task(self._run_to_end(owner, run, begun))

    def _deactivate(self, owner):
        owner._run = 0
        if owner._task:
            owner._task.cancel()
            owner._task = None
        if isinstance(owner, Behavior):
            self._guard(owner, owner.on_deactivated)

    def _call(self, call):
        owner = self._objects.get(call["object"])
        if owner is None:
            return
        kind = call["kind"]
        if kind == "entered":
            self._watched[call["object"]] = owner
            if isinstance(owner, Behavior):
                self._guard(owner, owner.on_entered_activatable_scope)
        elif kind == "left":
            self._watched.pop(call["object"], None)
            self._answers.pop(call["object"], None)
            if isinstance(owner, Behavior):
                self._guard(owner, owner.on_left_activatable_scope)
        elif kind == "activated":
            self._activate(owner, call["run"])
        elif kind == "deactivated":
            self._deactivate(owner)
        elif kind == "ended":
            ended = self._waiting.get(call["request"])
            if ended and not ended.done():
                ended.set_result((call["outcome"], call["reason"]))

    def _ask(self, number, owner):
        if not isinstance(owner, Behavior):
            answer = self._guard(owner, owner._code, self.facts, *owner._values.values())
            return self._answer(number, answer)
        self._guard(owner, owner.update)
        answer = self._guard(owner, owner.wants_to_be_activated)
        return self._answer(number, no("wants_to_be_activated returned nothing") if answer is None else answer)

    def take(self, line):
        """Handles a line from the robot."""
        tick = json.loads(line)
        self._tick = tick["tick"]
        for each in tick["facts"]:
            value = _from_value(each["value"])
            if value is None:
                self.facts.pop(each["name"], None)
            else:
                self.facts[each["name"]] = value
        for plan in tick["created"]:
            self._create(plan)
        for call in tick["calls"]:
            self._call(call)
        for number in tick["gone"]:
            self._watched.pop(number, None)
            owner = self._objects.pop(number, None)
            if owner is not None and owner._run:
                self._deactivate(owner)
        for number, owner in list(self._watched.items()):
            self._ask(number, owner)

    @staticmethod
    def hello(modules=None):
        """Returns the first line, as an object: with the classes and facts of these modules, or else of all."""
        classes = [_described(c) for c in _classes.values() if modules is None or c["code"].__module__ in modules]
        facts = [{k: f[k] for k in f if k != "module"} for f in _facts if modules is None or f["module"] in modules]
        return {"type": "hello", "version": VERSION, "classes": classes, "facts": facts}

    async def turn(self, line=None):
        """Handles a line, if there is one, lets tasks that have been woken up go on, and reports."""
        if line:
            self.take(line)
            for _ in range(3):
                await asyncio.sleep(0)
        self._report()

    async def serve(self):
        """Returns when the robot has ended."""
        loop = asyncio.get_running_loop()
        lines = asyncio.Queue()

        def read():
            # Not sys.stdin: Python cannot end while a thread reads it.
            rest = b""
            try:
                while more := os.read(self._source, 65536):
                    *whole, rest = (rest + more).split(b"\n")
                    for line in whole:
                        loop.call_soon_threadsafe(lines.put_nowait, line)
                loop.call_soon_threadsafe(lines.put_nowait, None)
            except RuntimeError:  # the loop has ended
                pass
            except OSError as error:
                loop.call_soon_threadsafe(lines.put_nowait, error)

        threading.Thread(target=read, daemon=True).start()
        self._send(self.hello())
        while True:
            try:
                line = await asyncio.wait_for(lines.get(), _REPORT_PERIOD)
                if line is None:
                    return
                if isinstance(line, OSError):
                    sys.exit(f"the lines of the robot cannot be read: {line}; the program must leave its standard "
                             "input open")
            except asyncio.TimeoutError:
                line = b""
            await self.turn(line)


def run_behaviors():
    """Runs the classes of this program for a robot, which has started it. Returns when the robot has ended.

    Everything that the program prints is in the log of the robot.
    """
    if sys.stdin is None or sys.stdin.isatty():
        print("This program has behaviors for a robot. Name it in the robot's configuration, under [ai]:\n"
              f"  programs = [\"{sys.argv[0]}\"]", file=sys.stderr)
        sys.exit(2)
    register_subclasses()
    # Prints must not get between the lines for the robot.
    sink = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    try:
        asyncio.run(_Program(sys.stdin.fileno(), sink).serve())
    except (BrokenPipeError, KeyboardInterrupt):
        pass


def register_subclasses():
    """Registers all classes that derive from Behavior and are not registered yet."""
    for cls in _all_subclasses(Behavior):
        if not any(each["code"] is cls for each in _classes.values()) and not cls.__name__.startswith("_"):
            behavior(cls)


def _all_subclasses(cls):
    for each in cls.__subclasses__():
        yield each
        yield from _all_subclasses(each)
