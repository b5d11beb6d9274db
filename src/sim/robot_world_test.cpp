#include "sim/robot_world.hpp"

#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

#include "behavior/behavior.hpp"
#include "behavior/control.hpp"

namespace caribou::sim {
namespace {

using namespace std::chrono_literals;

/// Drives ahead, and turns now and then.
class Wander final : public behavior::Behavior {
public:
    Wander(std::string id, robot::AiControl& control) : Behavior(std::move(id)), control_(control) {}

private:
    behavior::Wants wants_to_be_activated(const behavior::View&) const override { return true; }
    void update(behavior::Control& control) override {
        if (!control.is_active()) return;
        const bool ahead = ++ticks_ % 100 < 60;
        control_.drive(link::MovementCommand::of(ahead ? 2 : 1, ahead ? 2 : -1).value());
    }

    robot::AiControl& control_;
    std::uint64_t ticks_ = 0;
};

RobotWorldOptions options() {
    RobotWorldOptions some{.robots = 2, .time = 20s};
    some.tree = {
        {"wander.json", R"({"base": "wander", "behaviors": [{"class": "wander", "id": "wander"}]})"}};
    some.add_classes = [](behavior::ClassRegistry& classes, robot::AiControl& control) {
        classes.add(behavior::BehaviorClass{.name = "wander",
                                            .about = "drives about",
                                            .make = [&control](std::string id, const behavior::Arguments&) {
                                                return std::make_unique<Wander>(std::move(id), control);
                                            }});
    };
    return some;
}

class RobotSeeds : public testing::TestWithParam<std::uint64_t> {};

constexpr std::uint64_t seeds_each = 100;

TEST_P(RobotSeeds, BreakNoPromise) {
    std::uint64_t first = GetParam() * seeds_each;
    std::uint64_t count = seeds_each;
    if (const char* only = std::getenv("CARIBOU_SEED")) {
        first = std::strtoull(only, nullptr, 10);
        count = 1;
    }
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
        RobotWorldOptions some = options();
        if (count == 1) some.trace = [](std::string_view line) { puts(std::string(line).c_str()); };
        const RobotWorldReport report = RobotWorld(seed, some).run();
        ASSERT_TRUE(report.violations.empty()) << "CARIBOU_SEED=" << seed << " shows it again\n"
                                               << to_string(report);
    }
}

INSTANTIATE_TEST_SUITE_P(RobotWorld, RobotSeeds, testing::Range<std::uint64_t>(0, 10));

}  // namespace
}  // namespace caribou::sim
