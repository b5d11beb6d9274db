#include "caribou/new_behavior.hpp"

#include <algorithm>
#include <initializer_list>
#include <string>
#include <utility>

namespace caribou::app {
namespace {

constexpr std::string_view robot_cmake_lists = R"(cmake_minimum_required(VERSION 3.25)
project(@NAME@ LANGUAGES CXX)

find_package(caribou 0.2 REQUIRED COMPONENTS robot testkit)

add_executable(@NAME@ main.cpp)
target_link_libraries(@NAME@ PRIVATE caribou::robot)

enable_testing()
add_executable(@NAME@_test @NAME@_test.cpp)
target_link_libraries(@NAME@_test PRIVATE caribou::testkit)
add_test(NAME @NAME@_test COMMAND @NAME@_test WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
)";

constexpr std::string_view behavior_header = R"(#pragma once

#include <memory>
#include <string>
#include <utility>

#include <caribou/robot/own_classes.hpp>

/// Goes to a place, and counts its visits in the fact `@NAME@_visits`. Replace it by your own code.
class @CLASS@ final : public caribou::behavior::Behavior {
public:
    @CLASS@(std::string id, double x, caribou::robot::RobotMeans robot)
        : Behavior(std::move(id)), x_(x), robot_(std::move(robot)) {}

protected:
    void on_activated(caribou::behavior::Control& control) override {
        auto action = robot_.action("{\"go_to\": " + std::to_string(x_) + ", \"y\": 0}");
        if (!action) return end(control, caribou::behavior::Outcome::failed(action.error().message));
        std::ignore = control.delegate(
            std::move(*action), [this](caribou::behavior::Control& after, const caribou::behavior::Outcome& outcome) {
                if (outcome.has_succeeded()) robot_.changes.add("@NAME@_visits", 1);
                end(after, outcome);
            });
    }

private:
    static void end(caribou::behavior::Control& control, const caribou::behavior::Outcome& outcome) {
        std::ignore = control.finish(outcome);
    }

    double x_;
    caribou::robot::RobotMeans robot_;
};

/// Registers what files of trees can name.
inline void add_classes(caribou::behavior::ClassRegistry& classes, const caribou::robot::RobotMeans& robot) {
    using caribou::behavior::FactDeclaration;
    using caribou::behavior::Parameter;
    classes.add(FactDeclaration{.name = "@NAME@_visits",
                                .about = "how often @NAME@ has succeeded",
                                .type = FactDeclaration::Type::number,
                                .fallback = 0.0});
    classes.add(caribou::behavior::BehaviorClass{
        .name = "@NAME@",
        .about = "goes to a place ahead of where it has started",
        .parameters = {{.name = "x", .kind = Parameter::Kind::number, .about = "in meters", .required = true}},
        .make = [robot](std::string id, const caribou::behavior::Arguments& arguments) {
            return std::make_unique<@CLASS@>(std::move(id), arguments.number("x"), robot);
        }});
}
)";

constexpr std::string_view robot_main_file = R"(#include <caribou/kit/robot/robot_main.hpp>

@OWN_HEADER@

int main(int argc, char** argv) { return caribou::run_robot(argc, argv, add_classes); }
)";

constexpr std::string_view behavior_test_file = R"(// Runs the tree on a simulated robot, in virtual time.
#include <caribou/kit/testkit/robot_in_a_box.hpp>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

@OWN_HEADER@

using namespace std::chrono_literals;

/// Returns whether it visits its place twice in 2 min, also after failures by these placeholders.
bool visits_twice(const std::string& tree, std::vector<std::string> stand_ins) {
    auto box = caribou::RobotInABox::make(tree, {.own = add_classes, .stand_ins = std::move(stand_ins)});
    if (!box) return std::fprintf(stderr, "%s\n", box.error().message.c_str()), false;
    if (!box->advance_until([&] { return box->times_succeeded("@NAME@") == 2; }, 2min))
        return std::fprintf(stderr, "expected two visits in 2 min; %s\n", box->failure("@NAME@").c_str()), false;
    return true;
}

int main() {
    std::ifstream file("@NAME@.json");
    const std::string tree{std::istreambuf_iterator<char>(file), {}};
    return visits_twice(tree, {}) && visits_twice(tree, {"go_to=fail,succeed 1s"}) ? 0 : 1;
}
)";

constexpr std::string_view tree_file = R"({
  "base": "robot",
  "behaviors": [
    {"class": "strict_priority_with_cooldown", "id": "robot", "children": [{"child": "round", "cooldown": "1s"}]},
    {"class": "sequence", "id": "round", "children": ["@NAME@", "back"]},
    {"class": "@NAME@", "id": "@NAME@", "x": 1},
    {"class": "act", "id": "back", "action": {"go_to": 0, "y": 0}}
  ]
}
)";

constexpr std::string_view robot_toml =
    R"(# A simulated robot that drives itself (RM2), with a page at the address that it prints.
name = "@NAME@"
DefaultRunMode = 2

[body]
kind = "sim"
seed = 7

[web]
listen = "127.0.0.1:0"

[ai]
tree = "@NAME@.json"
)";

constexpr std::string_view behavior_readme = R"(# @NAME@

```
cmake -B build -G Ninja && cmake --build build    # set CMAKE_PREFIX_PATH if caribou is not found
ctest --test-dir build
build/@NAME@ --config @NAME@.toml                 # a simulated robot with this behavior; Ctrl-C ends it
```

`@NAME@.hpp` is the behavior, `@NAME@_test.cpp` its test, `@NAME@.json` the tree, `@NAME@.toml` the robot.
`build/@NAME@` has all options of `caribou robot`.
)";

constexpr std::string_view python_file = R"(#!/usr/bin/env python3
"""A behavior for a robot, which starts this program: see the key `programs` in @NAME@.toml."""

import caribou

caribou.fact("@NAME@_visits", 0, "how often @NAME@ has succeeded")


class @CLASS@(caribou.Behavior):
    """Goes to a place ahead of where it has started. Replace it by your own code."""

    x = caribou.parameter(1.0, "in meters")

    async def on_activated(self):
        await self.go_to(self.x, 0)
        self.set("@NAME@_visits", self.facts["@NAME@_visits"] + 1)


if __name__ == "__main__":
    caribou.run_behaviors()
)";

constexpr std::string_view test_head =
    R"("""Tests @NAME@ on a simulated robot, in virtual time: run it with pytest, in this folder."""

)";

constexpr std::string_view subprocess_import = "import subprocess\n\n";

constexpr std::string_view python_test = R"(import @NAME@  # the behaviors that the tree names
from caribou.testkit import RobotInABox


def test_visits_its_place_twice():
    with RobotInABox("@NAME@.json") as box:
        assert box.advance_until(lambda: box.times_succeeded("@NAME@") == 2, 120), box.ask("why")
        assert box.fact("@NAME@_visits") == 2


def test_goes_on_after_a_failure():
    with RobotInABox("@NAME@.json", stand_ins=["go_to=fail,succeed 1s"]) as box:
        assert box.advance_until(lambda: box.times_succeeded("@NAME@") == 1, 60), box.ask("why")
        assert box.times_failed("@NAME@") == 1
)";

constexpr std::string_view accepted_test = R"(

def test_a_robot_accepts_it():
    checked = subprocess.run(["caribou", "robot", "--check-config", "--config", "@NAME@.toml"],
                             capture_output=True, text=True, timeout=60)
    assert checked.returncode == 0, checked.stderr
)";

constexpr std::string_view python_readme = R"(# @NAME@

```
python3 -m pytest -q                                # its tests, on a simulated robot in virtual time
caribou robot --check-config --config @NAME@.toml   # is everything as it must be?
caribou robot --config @NAME@.toml                  # a simulated robot with this behavior; Ctrl-C ends it
```

`@NAME@.py` is the behavior, `@NAME@_test.py` a test for pytest, `@NAME@.json` the tree, `@NAME@.toml` the robot.
)";

constexpr std::string_view plain_tree = R"({
  "facts": {"rounds": 0},
  "base": "robot",
  "behaviors": [
    {"class": "strict_priority", "id": "robot", "children": ["work", "rest"]},
    {"class": "sequence", "id": "work", "wants": {"fact": "rounds", "<": 3}, "children": ["there", "back", "count"]},
    {"class": "act", "id": "there", "action": {"go_to": 1, "y": 0}},
    {"class": "act", "id": "back", "action": {"go_to": 0, "y": 0}},
    {"class": "act", "id": "count", "action": {"add": 1, "to": "rounds"}},
    {"class": "idle", "id": "rest"}
  ]
}
)";

constexpr std::string_view plain_test = R"(from caribou.testkit import RobotInABox


def test_makes_three_rounds_and_rests():
    with RobotInABox("@NAME@.json") as box:
        assert box.advance_until(lambda: box.is_active("rest"), 180), box.ask("why")
        assert box.fact("rounds") == 3
)";

constexpr std::string_view tree_readme = R"(# @NAME@

```
caribou tree check @NAME@.json                        # would a robot accept it?
caribou tree show @NAME@.json
caribou tree run @NAME@.json --stand-in 'go_to=succeed 2s' --ticks 300
python3 -m pytest -q                                  # its test, on a simulated robot in virtual time
```

`@NAME@.json` is the tree, `@NAME@_test.py` a test for pytest (packages python3-caribou and python3-pytest). In `tree run`,
`go_to` needs a stand-in: nothing drives there.
)";

constexpr std::string_view python_tree_readme = R"(# @NAME@

```
caribou tree check @NAME@.json --stand-in @NAME@      # would a robot with this class accept it?
python3 -m pytest -q                                  # its tests, on a simulated robot in virtual time
```

`@NAME@.json` is the tree, `@NAME@.py` its behavior, `@NAME@_test.py` a test for pytest (packages python3-caribou and
python3-pytest). A robot runs it with `tree = "@NAME@.json"` and `programs = ["@NAME@.py"]` below `[ai]`.
)";

constexpr std::string_view new_robot_readme = R"(# @NAME@

```
python3 -m pytest -q                                # its tests, in virtual time
caribou robot --check-config --config @NAME@.toml
caribou robot --config @NAME@.toml                  # a simulated robot; Ctrl-C ends it
```

`@NAME@.toml` is the robot, `@NAME@.json` its tree, `@NAME@_test.py` a test for pytest (packages python3-caribou and
python3-pytest).
)";

/// `patrol_and_wink` is the class `PatrolAndWink`.
std::string class_of(std::string_view name) {
    std::string text;
    bool is_start = true;
    for (const char c : name) {
        if (c != '_') text += is_start && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
        is_start = c == '_';
    }
    return text;
}

std::vector<NewFile> filled_in(std::string_view name,
                               std::vector<std::pair<std::string, std::string_view>> patterns) {
    using Fill = std::pair<std::string_view, std::string>;
    std::vector<NewFile> files;
    for (const auto& [path, pattern] : patterns) {
        std::string text(pattern);
        for (const auto& [mark, value] : {Fill{"@OWN_HEADER@", "#include \"@NAME@.hpp\""},
                                          Fill{"@NAME@", std::string(name)}, Fill{"@CLASS@", class_of(name)}})
            for (std::size_t at = text.find(mark); at != std::string::npos;
                 at = text.find(mark, at + value.size()))
                text.replace(at, mark.size(), value);
        files.push_back({path, std::move(text)});
    }
    return files;
}

std::string joined(std::initializer_list<std::string_view> parts) {
    std::string text;
    for (const std::string_view part : parts) text += part;
    return text;
}

}  // namespace

bool is_behavior_name(std::string_view name) {
    const auto is_small = [](char c) { return c >= 'a' && c <= 'z'; };
    return !name.empty() && name.size() <= 64 && is_small(name.front()) && name.back() != '_' &&
           std::ranges::all_of(name,
                               [&](char c) { return is_small(c) || (c >= '0' && c <= '9') || c == '_'; });
}

std::vector<NewFile> new_behavior_files(std::string_view name) {
    const std::string base(name);
    return filled_in(name, {{"CMakeLists.txt", robot_cmake_lists},
                            {base + ".hpp", behavior_header},
                            {"main.cpp", robot_main_file},
                            {base + "_test.cpp", behavior_test_file},
                            {base + ".json", tree_file},
                            {base + ".toml", robot_toml},
                            {"README.md", behavior_readme}});
}

std::vector<NewFile> new_python_behavior_files(std::string_view name) {
    const std::string base(name);
    const std::string toml = std::string(robot_toml) + "programs = [\"@NAME@.py\"]\n";
    const std::string test = joined({test_head, subprocess_import, python_test, accepted_test});
    return filled_in(name, {{base + ".py", python_file},
                            {base + "_test.py", test},
                            {base + ".json", tree_file},
                            {base + ".toml", toml},
                            {"README.md", python_readme}});
}

std::vector<NewFile> new_tree_files(std::string_view name) {
    const std::string base(name);
    const std::string test = joined({test_head, plain_test});
    return filled_in(name,
                     {{base + ".json", plain_tree}, {base + "_test.py", test}, {"README.md", tree_readme}});
}

std::vector<NewFile> new_python_tree_files(std::string_view name) {
    const std::string base(name);
    const std::string test = joined({test_head, python_test});
    return filled_in(name, {{base + ".py", python_file},
                            {base + "_test.py", test},
                            {base + ".json", tree_file},
                            {"README.md", python_tree_readme}});
}

std::vector<NewFile> new_robot_files(std::string_view name) {
    const std::string base(name);
    const std::string test = joined({test_head, subprocess_import, plain_test, accepted_test});
    return filled_in(name, {{base + ".json", plain_tree},
                            {base + ".toml", robot_toml},
                            {base + "_test.py", test},
                            {"README.md", new_robot_readme}});
}

}  // namespace caribou::app
