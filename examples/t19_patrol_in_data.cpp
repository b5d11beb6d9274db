// t19: a whole life in data, and its test: `t19_patrol_in_data examples/trees/patrol_and_wink.json`. Needs no
// broker.
//
// The tree patrols between three places and winks at its cube after each round; with a low battery it goes to
// its dock, charges, leaves it, and goes on. Here a simulated robot runs it, in virtual time: ten minutes
// take less than a second. t18 does the same with behaviors in C++, python/patrol_and_wink_test.py with
// behaviors in Python.

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

#include "kit/testkit/robot_in_a_box.hpp"

using namespace caribou;
using namespace std::chrono_literals;

namespace {

/// A robot with a small battery that is not full, in a room with a dock and a cube.
const char* const room = R"(
name = "room"
size = [6, 6]
[battery]
minutes = 5
level = 0.4
[[start]]
at = [3, 3]
heading = 0
[charger]
at = [0.6, 3]
heading = 0
[[cube]]
at = [3.5, 4.5]
name = "cube"
)";

/// Waits until a behavior has succeeded once more, prints when that was, and returns whether it did.
bool succeeds(RobotInABox& box, const char* behavior) {
    const std::size_t before = box.times_succeeded(behavior);
    const bool has = box.advance_until([&] { return box.times_succeeded(behavior) > before; }, 5min);
    std::printf("%4.0f s  %s%s\n", to_seconds(box.time()), behavior, has ? "" : " has not succeeded");
    if (!has) std::printf("%s\n", box.ask("why").c_str());
    return has;
}

}  // namespace

int main(int argc, char** argv) {
    const std::string path = argc > 1 ? argv[1] : "examples/trees/patrol_and_wink.json";
    std::ifstream file(path);
    const std::string tree{std::istreambuf_iterator<char>(file), {}};
    auto box = RobotInABox::make(tree, {.room = room});
    if (!box) return std::fprintf(stderr, "%s\n", box.error().message.c_str()), 1;
    for (const char* const behavior :
         {"patrol", "wink", "patrol", "wink", "go_home", "charge", "leave_dock", "patrol"})
        if (!succeeds(*box, behavior)) return 1;
    return 0;
}
