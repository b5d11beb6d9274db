#include "sim/robot_world.hpp"

#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

#include "behavior/behavior.hpp"
#include "behavior/control.hpp"
#include "sim/held_audit.hpp"

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
        return nullptr;
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
        // Two robots see each other, one costs half; a bus is a bus.
        some.robots = 1 + seed % 2;
        some.bus = seed % 4 < 2;
        some.keyed = seed % 8 != 0;
        if (count == 1) some.trace = [](std::string_view line) { puts(std::string(line).c_str()); };
        const RobotWorldReport report = RobotWorld(seed, some).run();
        ASSERT_TRUE(report.violations.empty()) << "CARIBOU_SEED=" << seed << " shows it again\n"
                                               << to_string(report);
    }
}

TEST(RobotWorld, SeesWhenARobotHoldsTooMuch) {
    RobotWorldOptions some = options();
    some.most_held = 1;
    const RobotWorldReport report = RobotWorld(1, some).run();
    ASSERT_FALSE(report.violations.empty());
    EXPECT_NE(report.violations.front().find("and at most 1 are allowed"), std::string::npos)
        << report.violations.front();
}

TEST(RobotWorld, LosesNothingToAFullDiskAndADeadBroker) {
    RobotWorldOptions some = options();
    some.time = 60s;
    some.script = {
        {5s, "fill_disk", 0}, {6s, "kill_broker", 0}, {20s, "fill_disk", 1}, {30s, "kill_broker", 0}};
    const RobotWorldReport report = RobotWorld(3, some).run();
    EXPECT_TRUE(report.violations.empty()) << to_string(report);
    EXPECT_GE(report.troubles.at("fill_disk"), 2);
    EXPECT_GE(report.troubles.at("kill_broker"), 1);
}

TEST(RobotWorld, LetsNobodyInWhoHasNoKeyAndTakesNoDatagramTwice) {
    RobotWorldOptions some = options();
    some.time = 120s;
    some.trouble.reset();
    for (std::size_t i = 0; i < 100; ++i)
        for (const char* what : {"intrude", "replay_datagrams"})
            some.script.push_back({Duration(1s) * static_cast<int>(i + 1), what, i % 2});
    const RobotWorldReport report = RobotWorld(5, some).run();
    EXPECT_TRUE(report.violations.empty()) << to_string(report);
    for (const char* met : {"intruder: wrong key", "intruder: replayer", "intruder: second station"})
        EXPECT_TRUE(report.troubles.contains(met)) << met;
    EXPECT_GT(report.troubles.at("datagram refused"), 100u);
}

TEST(HeldAudit, SaysWhatHasGrownBeyondItsLimitOnce) {
    HeldAudit audit;
    audit.look(std::vector<robot::Held>{{"errors", 32, 32}});
    EXPECT_TRUE(audit.findings().empty());
    for (int i = 0; i < 2; ++i) audit.look(std::vector<robot::Held>{{"errors", 33, 32}});
    EXPECT_EQ(audit.findings(), std::vector<std::string>{"it holds 33 errors, and at most 32 are allowed"});
}

INSTANTIATE_TEST_SUITE_P(RobotWorld, RobotSeeds, testing::Range<std::uint64_t>(0, 10));

}  // namespace
}  // namespace caribou::sim
