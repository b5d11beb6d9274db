"""Drivers for robots: the body of a robot as a program of its own.

A driver is started by `caribou robot` (`body.kind = "driver"`, `body.command`) or by `caribou body check`.
docs/formats/driver.md describes the protocol, docs/robot.md how to write a driver.
"""

import math
import os
import select
import socket
import struct
import time
import traceback
from dataclasses import dataclass, field

VERSION = 1
MAX_FRAME = 32 * 1024
KINDS = ("encoder_right", "encoder_left", "range", "lidar", "bumper", "cliff", "imu", "battery", "charger",
         "emergency_stop", "eyes")
SWITCHES = ("bumper", "cliff", "emergency_stop")
LIGHTS = ("off", "asleep", "awake", "driven", "alarm")
LEVELS = ("debug", "info", "warning", "error")

_HELLO, _STATE, _SCAN, _LOG, _ORDER, _LIGHTS, _POWER, _BYE = 1, 2, 3, 5, 16, 17, 18, 19


class _Writer:
    """Little-endian CDR with its header."""

    def __init__(self):
        self.bytes = bytearray(b"\x00\x01\x00\x00")

    def put(self, code, value):
        size = struct.calcsize(code)
        self.bytes += bytes(-(len(self.bytes) - 4) % size) + struct.pack("<" + code, value)

    def text(self, value, most=64):
        raw = value.encode()[:most].decode(errors="ignore").encode() + b"\x00"
        self.put("I", len(raw))
        self.bytes += raw

    def sequence(self, code, values):
        self.put("I", len(values))
        for value in values:
            self.put(code, value)


def _frame(kind, body):
    return struct.pack("<IB", 1 + len(body), kind) + bytes(body)


def _numbers(body, codes):
    """Returns the numbers with which a CDR message begins."""
    at, values = 4, []
    for code in codes:
        size = struct.calcsize(code)
        at += -(at - 4) % size
        values.append(struct.unpack_from("<" + code, body, at)[0])
        at += size
    return values


def _place_of(error):
    """Returns FILE:LINE: in FUNCTION: what went wrong; the place is the innermost one outside this file."""
    frames = traceback.extract_tb(error.__traceback__)
    place = ([frame for frame in frames if frame.filename != __file__] or frames)[-1]
    return f"{place.filename}:{place.lineno}: in {place.name}: {type(error).__name__}: {error}"


class ReadingError(ValueError):
    """A reading that cannot be sent, with its name."""


@dataclass
class Sensor:
    """One sensor. `x`, `y` (m) and `heading` (rad) are its place: ahead, to the left, counterclockwise."""

    name: str
    kind: str
    x: float = 0.0
    y: float = 0.0
    heading: float = 0.0
    reach: float = 0.0
    required: bool = False
    can_power_down: bool = False


@dataclass
class Readings:
    """What the sensors measure. A reading that is None, or not given, is no reading."""

    left_ticks: int | None = None
    right_ticks: int | None = None
    switches: dict = field(default_factory=dict)  #: by name: True, False
    ranges: dict = field(default_factory=dict)  #: by name: m; math.inf is no echo
    imu: tuple | None = None  #: yaw rate (rad/s), acceleration (m/s2), tilt (rad)
    battery: tuple | None = None  #: level (0 to 1), volts, amperes into the battery
    charger: tuple | None = None  #: contact, amperes
    motor_fault: str = ""


class Driver:
    """The driver's side of the connection. A base overrides drive() and read(), and what else it can do."""

    name = "driver"
    radius = 0.15
    wheel_base = 0.24
    meters_per_tick = 0.0005
    max_speed = 0.6
    period = 0.02  #: s between two states
    stops_without_feed_ms = -1
    stop_frame = b""
    has_lights = False
    has_enable_line = False
    sensors = ()

    def drive(self, left, right, enabled):
        """Orders the wheels (m/s). At once, and without a ramp: the robot has one."""
        raise NotImplementedError

    def read(self):
        """Returns the latest Readings, without waiting."""
        raise NotImplementedError

    def lights(self, lights):
        """Shows one of LIGHTS."""

    def power(self, sensor, on):
        """Powers the named sensor down or up."""

    def __init__(self):
        self._seq = 0
        self._ordered = (0.0, 0.0)
        self._socket = None

    def run(self):
        """Serves the robot until it closes the connection. The wheels are ordered to stop at the end."""
        number = os.environ.get("CARIBOU_DRIVER_FD", "")
        if not number.isdigit():
            raise SystemExit("a driver is started by `caribou robot` or `caribou body check`, which set CARIBOU_DRIVER_FD")
        self._socket = socket.socket(fileno=int(number))
        try:
            self._serve()
        except (BrokenPipeError, ConnectionResetError):
            pass  # the robot is gone
        except Exception as error:
            # The robot reports the last error that was logged as the reason why the connection ended.
            self._try_to_log(_place_of(error))
            raise
        finally:
            self.drive(0.0, 0.0, False)
            self._socket.close()

    def _try_to_log(self, text):
        try:
            self.log("error", text)
        except OSError:
            pass  # the robot is gone, too

    def _serve(self):
        self._socket.sendall(self.hello_frame() + self.state_frame())
        buffer, due = b"", time.monotonic() + self.period
        while True:
            ready, _, _ = select.select([self._socket], [], [], max(0.0, due - time.monotonic()))
            if ready:
                data = self._socket.recv(MAX_FRAME)
                if not data:
                    return
                buffer += data
            while len(buffer) >= 4 and len(buffer) >= 4 + int.from_bytes(buffer[:4], "little"):
                size = int.from_bytes(buffer[:4], "little")
                if not 1 <= size <= MAX_FRAME or not self._take(buffer[4], buffer[5:4 + size]):
                    return
                buffer = buffer[4 + size:]
                due = 0.0
            if time.monotonic() >= due:
                self._socket.sendall(self.state_frame())
                due = time.monotonic() + self.period

    def _take(self, kind, body):
        """Carries out one frame. Returns False at the end."""
        if kind == _ORDER:
            seq, enabled, left, right = _numbers(body, "I?dd")
            if not (math.isfinite(left) and math.isfinite(right)):
                return False
            most = self.max_speed if enabled else 0.0
            self._ordered = tuple(max(-most, min(most, speed)) for speed in (left, right))
            self.drive(*self._ordered, enabled)
            self._seq = seq
        elif kind == _LIGHTS:
            self.lights(LIGHTS[_numbers(body, "B")[0]])
        elif kind == _POWER:
            sensor, on = _numbers(body, "B?")
            self.power(self.sensors[sensor].name, on)
        else:
            return False  # a goodbye, or what only a driver sends
        return True

    def log(self, level, text):
        """Sends a line to the robot's log: one of LEVELS."""
        to = _Writer()
        to.put("B", LEVELS.index(level))
        to.text(text, 500)
        self._socket.sendall(_frame(_LOG, to.bytes))

    def send_scan(self, first_angle, angle_step, ranges):
        """Sends one turn of the lidar: rad, rad, m."""
        to = _Writer()
        to.put("d", first_angle)
        to.put("d", angle_step)
        to.sequence("f", ranges)
        self._socket.sendall(_frame(_SCAN, to.bytes))

    def hello_frame(self):
        to = _Writer()
        to.put("I", VERSION)
        to.text(self.name)
        for number in (self.radius, self.wheel_base, self.meters_per_tick, self.max_speed):
            to.put("d", number)
        to.put("H", round(self.period * 1000))
        to.put("i", self.stops_without_feed_ms)
        to.sequence("B", self.stop_frame)
        to.put("?", self.has_lights)
        to.put("?", self.has_enable_line)
        to.put("I", len(self.sensors))
        for sensor in self.sensors:
            to.text(sensor.name)
            to.put("B", KINDS.index(sensor.kind))
            for number in (sensor.x, sensor.y, sensor.heading, sensor.reach):
                to.put("d", number)
            to.put("?", sensor.required)
            to.put("?", sensor.can_power_down)
        return _frame(_HELLO, to.bytes)

    def state_frame(self):
        readings = self.read()
        if not isinstance(readings, Readings):
            raise ReadingError(f"{type(self).__name__}.read() returned {readings!r}; expected Readings")
        try:
            return self._state_of(readings)
        except (struct.error, TypeError, ValueError, AttributeError) as error:
            raise ReadingError(f"{type(self).__name__}.read() returned {readings!r}: {error}") from error

    def _state_of(self, readings):
        to = _Writer()
        to.put("I", self._seq)
        to.put("Q", time.monotonic_ns() // 1000)
        for speed in self._ordered:
            to.put("d", speed)
        to.text(readings.motor_fault, 200)
        has_encoders = readings.left_ticks is not None and readings.right_ticks is not None
        to.put("?", has_encoders)
        to.put("q", readings.left_ticks if has_encoders else 0)
        to.put("q", readings.right_ticks if has_encoders else 0)
        switches = [readings.switches.get(s.name) for s in self.sensors if s.kind in SWITCHES]
        to.sequence("B", [2 if value is None else int(value) for value in switches])
        ranges = [readings.ranges.get(s.name) for s in self.sensors if s.kind == "range"]
        to.sequence("f", [math.nan if value is None else value for value in ranges])
        for codes, values in (("ddd", readings.imu), ("ddd", readings.battery), ("?d", readings.charger)):
            to.put("?", values is not None)
            for code, value in zip(codes, values or [0] * len(codes)):
                to.put(code, value)
        return _frame(_STATE, to.bytes)
