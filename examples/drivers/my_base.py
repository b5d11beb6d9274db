#!/usr/bin/python3
"""A driver of a robot base, as `body.command = ["examples/drivers/my_base.py"]`.

It has no hardware: wheels that turn at once as ordered, and a battery. Put yours where the comments are.
"""

import time

from caribou.driver import Driver, Readings, Sensor


class MyBase(Driver):
    name = "my base"
    wheel_base = 0.23  # m
    meters_per_tick = 0.0004
    max_speed = 0.5  # m/s
    stops_without_feed_ms = 0  # this base ends with its driver; a real one: how long it runs on, -1 for ever
    sensors = (
        Sensor("encoder_right", "encoder_right"),
        Sensor("encoder_left", "encoder_left"),
        Sensor("bumper_front", "bumper", x=0.15, required=True),
        Sensor("battery", "battery"),
    )

    def __init__(self):
        super().__init__()
        self.speeds = (0.0, 0.0)  # left, right
        self.rolled = [0.0, 0.0]
        self.turned_at = time.monotonic()

    def drive(self, left, right, enabled):
        self.turn_wheels()
        self.speeds = (left, right)  # send it to the motors here

    def turn_wheels(self):
        now = time.monotonic()
        self.rolled = [way + speed * (now - self.turned_at) for way, speed in zip(self.rolled, self.speeds)]
        self.turned_at = now

    def read(self):  # read the device here
        self.turn_wheels()
        left, right = (round(way / self.meters_per_tick) for way in self.rolled)
        return Readings(left, right, switches={"bumper_front": False}, battery=(0.9, 12.0, -0.5))


if __name__ == "__main__":
    MyBase().run()
