"""caribou.driver: the frames of the golden file, and a driver on a real socket."""

import os
import socket
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from caribou import driver

TOP = Path(__file__).resolve().parents[2]
GOLDEN = dict(line.split() for line in (TOP / "tests/golden/driver/frames.txt").read_text().splitlines())


class GoldenBase(driver.Driver):
    name = "base"
    stop_frame = b"\x89\x00\x00"
    has_lights = True
    sensors = (
        driver.Sensor("encoder_right", "encoder_right", x=0.1, reach=2),
        driver.Sensor("encoder_left", "encoder_left", x=0.1, reach=2),
        driver.Sensor("bumper_front", "bumper", x=0.1, reach=2, required=True),
    )

    def drive(self, left, right, enabled):
        pass

    def read(self):
        return driver.Readings()


class StateBase(GoldenBase):
    sensors = (
        driver.Sensor("bumper", "bumper"),
        driver.Sensor("cliff", "cliff"),
        driver.Sensor("front", "range"),
        driver.Sensor("rear", "range"),
    )

    def read(self):
        return driver.Readings(-3, 5_000_000_000, {"bumper": True}, {"front": 1.5, "rear": 0.25}, (0.125, -1, 0.5),
                               (0.75, 12, -2), (True, 1.5), "hot")


def test_hello_has_the_bytes_of_the_golden_file():
    assert GoldenBase().hello_frame().hex() == GOLDEN["hello"]


def test_state_has_the_bytes_of_the_golden_file(monkeypatch):
    monkeypatch.setattr(driver.time, "monotonic_ns", lambda: 123456789 * 1000)
    base = StateBase()
    base._seq, base._ordered = 7, (0.25, -0.5)
    assert base.state_frame().hex() == GOLDEN["state"]


class Robot:
    """The robot's end of the connection to the example."""

    def __init__(self):
        self.socket, end = socket.socketpair()
        self.socket.settimeout(60)
        self.process = subprocess.Popen([sys.executable, TOP / "examples/drivers/my_base.py"], pass_fds=[end.fileno()],
                                        env=os.environ | {"CARIBOU_DRIVER_FD": str(end.fileno())})
        end.close()

    def frame(self):
        def exactly(size):
            data = b""
            while len(data) < size:
                more = self.socket.recv(size - len(data))
                assert more, "the driver closed the connection"
                data += more
            return data
        size, kind = struct.unpack("<IB", exactly(5))
        return kind, exactly(size - 1)

    def order(self, seq, left, right):
        body = b"\x00\x01\x00\x00" + struct.pack("<I?3xdd", seq, True, left, right)
        self.socket.sendall(struct.pack("<IB", 1 + len(body), 16) + body)

    def state(self, seq):
        """Returns seq, time and ordered speeds of the first state that acknowledges the order."""
        while True:
            kind, body = self.frame()
            values = struct.unpack_from("<I4xQdd", body, 4)
            if kind == 2 and values[0] >= seq:
                return values


@pytest.fixture
def robot():
    robot = Robot()
    yield robot
    robot.socket.close()
    assert robot.process.wait(60) == 0


def test_example_greets_and_carries_out_orders(robot):
    assert robot.frame()[0] == 1
    robot.order(1, 0.2, 0.1)
    assert robot.state(1)[2:] == (0.2, 0.1)
    robot.order(2, 9.0, -9.0)
    assert robot.state(2)[2:] == (0.5, -0.5), "clipped at the maximum speed"


def test_example_ends_when_the_robot_ends_the_connection(robot):
    robot.socket.shutdown(socket.SHUT_WR)
    while robot.socket.recv(4096):
        pass


def test_example_reports_that_a_robot_starts_it():
    run = subprocess.run([sys.executable, TOP / "examples/drivers/my_base.py"], capture_output=True, text=True,
                         timeout=60, env={k: v for k, v in os.environ.items() if k != "CARIBOU_DRIVER_FD"})
    assert run.returncode == 1
    assert "is started by `caribou robot`" in run.stderr


def test_example_passes_the_check_on_the_desk():
    run = subprocess.run([os.environ["CARIBOU_PROGRAM"], "body", "check", "examples/robots/my_base.toml"], cwd=TOP,
                         capture_output=True, text=True, timeout=60)
    assert run.returncode == 0, run.stdout + run.stderr
    assert "`my base`, protocol 1, 4 sensors" in run.stdout


def failure_of(tmp_path, lines):
    """Returns what the check on the desk reports about a driver with these lines in its class."""
    program = tmp_path / "broken.py"
    program.write_text("from caribou import driver\n\n\nclass Broken(driver.Driver):\n    def drive(self, left, right, enabled):\n"
                       f"        pass\n\n    def read(self):\n{lines}\n\nBroken().run()\n")
    config = tmp_path / "broken.toml"
    config.write_text(f'[body]\nkind = "driver"\ncommand = ["{sys.executable}", "{program}"]\n[link]\nplain = true\n')
    run = subprocess.run([os.environ["CARIBOU_PROGRAM"], "body", "check", config], cwd=TOP, capture_output=True, text=True,
                         timeout=60)
    assert run.returncode == 1
    return run.stdout


def test_error_of_a_driver_is_reported_with_its_place(tmp_path):
    report = failure_of(tmp_path, "        return driver.Readings(1 // 0)")
    assert f"{tmp_path}/broken.py:9: in read: ZeroDivisionError: " in report


def test_wrong_reading_is_reported_with_its_driver(tmp_path):
    report = failure_of(tmp_path, "        return driver.Readings(1.5, 2)")
    assert "ReadingError: Broken.read() returned Readings(left_ticks=1.5, right_ticks=2" in report
    assert "ReadingError: Broken.read() returned None; expected Readings" in failure_of(tmp_path, "        return None")
