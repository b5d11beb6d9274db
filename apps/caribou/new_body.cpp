#include "caribou/new_body.hpp"

#include <string>

namespace caribou::app {
namespace {

constexpr std::string_view body_cmake = R"(cmake_minimum_required(VERSION 3.25)
project(@NAME@ LANGUAGES CXX)

find_package(caribou 0.2 REQUIRED COMPONENTS driver)
find_program(CARIBOU caribou HINTS ${caribou_DIR}/../../../bin ${caribou_DIR}/../../../../bin REQUIRED)

add_executable(@NAME@ main.cpp)
target_link_libraries(@NAME@ PRIVATE caribou::driver)

enable_testing()
add_executable(@NAME@_test @NAME@_test.cpp)
target_link_libraries(@NAME@_test PRIVATE caribou::driver)
add_test(NAME @NAME@_test COMMAND @NAME@_test)
# The driver against its contract, as a robot uses it. With hardware: wheels up.
add_test(NAME @NAME@_check COMMAND ${CARIBOU} body check @NAME@.toml WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
)";

constexpr std::string_view body_header = R"(#pragma once

#include <caribou/loop/clock.hpp>
#include <caribou/motion/body.hpp>

/// A robot base. It has no hardware: its wheels turn at once as ordered. Put yours where the comments are.
class @NAME@ final : public caribou::motion::Body {
public:
    explicit @NAME@(const caribou::Clock& clock) : clock_(clock), turned_at_(clock.now()) {
        using caribou::motion::SensorKind;
        plan_ = {.radius = 0.15, .wheel_base = 0.23, .metres_per_tick = 0.0004, .max_speed = 0.5};
        // In the order in which read() numbers them.
        plan_.sensors = {{.name = "encoder_right", .kind = SensorKind::encoder_right, .required = true},
                         {.name = "encoder_left", .kind = SensorKind::encoder_left, .required = true},
                         {.name = "bumper_front", .kind = SensorKind::bumper, .pose = {0.15, 0, 0}, .required = true},
                         {.name = "battery", .kind = SensorKind::battery}};
    }

    const caribou::motion::BodyPlan& plan() const override { return plan_; }
    /// The latest reading, without waiting. A sensor that gives none returns NoReading.
    caribou::motion::SensorReading read(std::size_t sensor) override {
        turn_wheels();
        switch (sensor) {  // read the device here
            case 0: return static_cast<std::int64_t>(right_ / plan_.metres_per_tick);
            case 1: return static_cast<std::int64_t>(left_ / plan_.metres_per_tick);
            case 2: return false;
            case 3: return caribou::motion::BatteryReading{.level = 0.9, .volts = 12.0, .amperes = -0.5};
            default: return caribou::motion::NoReading{};
        }
    }
    caribou::Result<void> enable_motors(bool enabled) override {
        enabled_ = enabled;
        drive({});
        return {};
    }
    bool motors_enabled() override { return enabled_; }
    /// At once, and without a ramp: the robot has one.
    void drive(caribou::motion::WheelSpeeds speeds) override {
        turn_wheels();
        speeds_ = enabled_ ? speeds : caribou::motion::WheelSpeeds{};  // send it to the motors here
    }
    caribou::Result<void> cut_motors() override { return enable_motors(false); }
    std::string motor_fault() override { return {}; }
    caribou::Result<void> set_power(std::size_t, bool) override { return {}; }
    void set_lights(caribou::motion::BodyLights) override {}
    std::vector<caribou::motion::PartCheck> self_check() override { return {}; }

private:
    void turn_wheels() {
        const caribou::Instant now = clock_.now();
        const double time = caribou::to_seconds(now - turned_at_);
        right_ += speeds_.right * time;
        left_ += speeds_.left * time;
        turned_at_ = now;
    }

    const caribou::Clock& clock_;
    caribou::motion::BodyPlan plan_;
    bool enabled_ = false;
    caribou::motion::WheelSpeeds speeds_{};
    double right_ = 0;  // m
    double left_ = 0;
    caribou::Instant turned_at_;
};
)";

constexpr std::string_view body_main = R"(#include <caribou/kit/driver/driver_loop.hpp>

#include <cstdio>

@OWN_HEADER@

int main() {
    const auto loop = caribou::DriverLoop::open();
    if (!loop) return std::fprintf(stderr, "%s\n", loop.error().message.c_str()), 1;
    @NAME@ body((*loop)->clock());
    // A real base: how long it turns on after its last order, or -1 and its stop_frame.
    const auto driven = (*loop)->run(body, {.name = "@NAME@", .stops_without_feed_ms = 0});
    return driven ? 0 : 1;
}
)";

constexpr std::string_view body_test =
    R"(// Tries the body in a time of its own, without a robot. `caribou body check` tries the whole driver.
@OWN_HEADER@

#include <cmath>
#include <cstdio>

class TestClock final : public caribou::Clock {
public:
    caribou::Instant now() const override { return time; }
    caribou::WallTime wall() const override { return {}; }

    caribou::Instant time{};
};

int main() {
    TestClock clock;
    @NAME@ body(clock);
    const auto way = [&](std::size_t wheel) {
        return static_cast<double>(std::get<std::int64_t>(body.read(wheel))) * body.plan().metres_per_tick;
    };
    body.drive({.right = 0.1, .left = 0.2});
    clock.time += std::chrono::seconds(1);
    if (way(0) != 0 || way(1) != 0) return std::fprintf(stderr, "it turns with its motors disabled\n"), 1;

    if (!body.enable_motors(true)) return std::fprintf(stderr, "its motors cannot be enabled\n"), 1;
    body.drive({.right = 0.1, .left = 0.2});
    clock.time += std::chrono::seconds(1);
    if (std::abs(way(0) - 0.1) > 0.01 || std::abs(way(1) - 0.2) > 0.01)
        return std::fprintf(stderr, "expected 0.1 m right, 0.2 m left\n"), 1;
    return 0;
}
)";

constexpr std::string_view body_config = R"(# A robot on the driver in this folder. Start its commands here:
#   caribou body check @NAME@.toml
#   caribou robot --self-check --config @NAME@.toml
#   caribou robot --config @NAME@.toml
name = "@NAME@"
DefaultRunMode = 3
ReceivePort = 9605

[body]
kind = "driver"
command = ["@COMMAND@"]
)";

constexpr std::string_view body_readme = R"(# @NAME@

```
cmake -B build -G Ninja && cmake --build build    # set CMAKE_PREFIX_PATH if caribou is not found
ctest --test-dir build
caribou body check @NAME@.toml                    # the driver against its contract; wheels up
```

`@NAME@.hpp` is the base, `main.cpp` its driver, `@NAME@.toml` a robot on it.
)";

constexpr std::string_view python_body = R"(#!/usr/bin/python3
"""The driver of a robot base. It has no hardware: its wheels turn at once as ordered. Put yours where the comments
are."""

import time

from caribou.driver import Driver, Readings, Sensor


class @CLASS@(Driver):
    name = "@NAME@"
    wheel_base = 0.23  # m
    meters_per_tick = 0.0004
    max_speed = 0.5  # m/s
    stops_without_feed_ms = 0  # a real base: how long it turns on after its last order, or -1 and its stop_frame
    sensors = (
        Sensor("encoder_right", "encoder_right", required=True),
        Sensor("encoder_left", "encoder_left", required=True),
        Sensor("bumper_front", "bumper", x=0.15, required=True),
        Sensor("battery", "battery"),
    )

    def __init__(self, clock=time.monotonic):
        super().__init__()
        self.clock = clock
        self.speeds = (0.0, 0.0)  # left, right
        self.rolled = [0.0, 0.0]
        self.turned_at = clock()

    def drive(self, left, right, enabled):
        self.turn_wheels()
        self.speeds = (left, right)  # send it to the motors here

    def turn_wheels(self):
        now = self.clock()
        self.rolled = [way + speed * (now - self.turned_at) for way, speed in zip(self.rolled, self.speeds)]
        self.turned_at = now

    def read(self):  # read the device here, without waiting
        self.turn_wheels()
        left, right = (round(way / self.meters_per_tick) for way in self.rolled)
        return Readings(left, right, switches={"bumper_front": False}, battery=(0.9, 12.0, -0.5))


if __name__ == "__main__":
    @CLASS@().run()
)";

constexpr std::string_view python_body_test = R"("""Run it in this folder: python3 test_@NAME@.py"""

import subprocess
import unittest

from @NAME@ import @CLASS@


class @CLASS@Test(unittest.TestCase):
    def test_turns_its_wheels_as_ordered(self):
        times = [0.0]
        body = @CLASS@(clock=lambda: times[0])
        body.drive(0.2, 0.1, True)
        times[0] = 1.0
        readings = body.read()
        self.assertAlmostEqual(readings.left_ticks * body.meters_per_tick, 0.2, places=2)
        self.assertAlmostEqual(readings.right_ticks * body.meters_per_tick, 0.1, places=2)

    def test_keeps_the_contract_of_drivers(self):
        """As a robot uses it. With hardware: wheels up."""
        check = subprocess.run(["caribou", "body", "check", "@NAME@.toml"], capture_output=True, text=True)
        self.assertEqual(check.returncode, 0, check.stdout + check.stderr)


if __name__ == "__main__":
    unittest.main()
)";

constexpr std::string_view python_body_readme = R"(# @NAME@

```
python3 test_@NAME@.py
caribou body check @NAME@.toml    # the driver against its contract; wheels up
```

`@NAME@.py` is the driver, `@NAME@.toml` a robot on it. It imports `caribou`, of the package python3-caribou.
)";

/// Replaces each `mark` by `value`.
std::string with(std::string text, std::string_view mark, std::string_view value) {
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + value.size()))
        text.replace(at, mark.size(), value);
    return text;
}

/// `my_base` becomes `MyBase`.
std::string class_name(std::string_view name) {
    std::string text;
    bool begins_word = true;
    for (const char c : name) {
        if (c != '_') text += begins_word && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
        begins_word = c == '_';
    }
    return text;
}

std::vector<NewFile> filled(std::vector<NewFile> files, std::string_view name, std::string_view program) {
    const std::string header = "#include \"" + std::string(name) + ".hpp\"";
    for (NewFile& file : files)
        file.text = with(with(with(with(file.text, "@OWN_HEADER@", header), "@CLASS@", class_name(name)),
                              "@COMMAND@", program),
                         "@NAME@", name);
    return files;
}

}  // namespace

std::vector<NewFile> new_body_files(std::string_view name) {
    const std::string base(name);
    return filled({{"CMakeLists.txt", std::string(body_cmake)},
                   {base + ".hpp", std::string(body_header)},
                   {"main.cpp", std::string(body_main)},
                   {base + "_test.cpp", std::string(body_test)},
                   {base + ".toml", std::string(body_config)},
                   {"README.md", std::string(body_readme)}},
                  name, "build/@NAME@");
}

std::vector<NewFile> new_python_body_files(std::string_view name) {
    const std::string base(name);
    return filled({{base + ".py", std::string(python_body), true},
                   {"test_" + base + ".py", std::string(python_body_test)},
                   {base + ".toml", std::string(body_config)},
                   {"README.md", std::string(python_body_readme)}},
                  name, "./@NAME@.py");
}

}  // namespace caribou::app
