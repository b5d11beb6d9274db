#include "sim/robot_world.hpp"

#include <cstdlib>
#include <iostream>
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include <sanitized.hpp>
#include "behavior/behavior.hpp"
#include "behavior/control.hpp"
#include "robot/default_tree.hpp"
#include "robot/robot_classes.hpp"
#include "sim/held_audit.hpp"

namespace caribou::sim {
namespace {

using namespace std::chrono_literals;

/// Drives forward and turns occasionally.
class Wander final : public behavior::Behavior {
public:
    Wander(std::string id, robot::AiControl& control) : Behavior(std::move(id)), control_(control) {}

private:
    behavior::Wants wants_to_be_activated(const behavior::View&) const override { return true; }
    void update(behavior::Control& control) override {
        if (!control.is_active()) return;
        const bool ahead = ++ticks_ % 100 < 60;
        control_.drive(motion::MovementCommand::of(ahead ? 2 : 1, ahead ? 2 : -1).value());
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

/// Returns the number in an environment variable, or nullopt.
std::optional<std::uint64_t> number_of(const char* variable) {
    const char* const text = std::getenv(variable);
    return text ? std::optional(std::strtoull(text, nullptr, 10)) : std::nullopt;
}

/// Short runs with many different starts.
class RobotSeeds : public testing::TestWithParam<std::uint64_t> {};

constexpr std::uint64_t seeds_each = 20;

TEST_P(RobotSeeds, BreakNoPromise) {
    std::uint64_t first = GetParam() * seeds_each;
    std::uint64_t count = seeds_each;
    if (const auto only = number_of("CARIBOU_SEED")) {
        first = *only;
        count = 1;
    }
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
        RobotWorldOptions some = options();
        // Two robots can see each other, but cost twice as much as one.
        some.robots = 1 + seed % 2;
        some.bus = seed % 4 < 2;
        some.keyed = seed % 8 != 0;
        if (count == 1) some.trace = [](std::string_view line) { puts(std::string(line).c_str()); };
        const RobotWorldReport report = RobotWorld(seed, some).run();
        ASSERT_TRUE(report.violations.empty()) << "CARIBOU_SEED=" << seed << " shows it again\n"
                                               << to_string(report);
    }
}

/// One robot with its default behaviors.
RobotWorldOptions explorer() {
    RobotWorldOptions some{.robots = 1, .time = 15min};
    some.tree = {{"default tree", std::string(robot::default_tree())}};
    some.add_classes = [](behavior::ClassRegistry& classes, robot::AiControl& control) {
        return robot::register_robot_classes(classes, control);
    };
    return some;
}

/// Runs longer than every time constant of the rules: an idle battery lasts 75 minutes, a robot may be
/// rebooted five times in ten, `dock` takes up to five.
class RobotLives : public testing::TestWithParam<std::uint64_t> {};

constexpr std::uint64_t fixed_lives = tests::sanitized ? 1 : 5;
constexpr std::uint64_t all_lives = tests::sanitized ? 2 : 8;

TEST_P(RobotLives, BreakNoPromise) {
    // The first seeds are the same in every run; the others depend on CARIBOU_ROTATION, which ./run test
    // sets.
    const std::uint64_t rotation = number_of("CARIBOU_ROTATION").value_or(1);
    const std::uint64_t seed =
        GetParam() < fixed_lives ? GetParam() + 1 : 1000 + rotation * all_lives + GetParam();
    RobotWorldOptions some = explorer();
    some.time = 90min;
    some.trouble = 10s;
    const RobotWorldReport report = RobotWorld(seed, some).run();
    std::cout << "caribou sim --hours 1.5 --seed " << seed << "\n";
    EXPECT_TRUE(report.violations.empty()) << to_string(report);
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

/// Same, with the given fault only.
RobotWorldOptions one_explorer(const world::Fault& fault) {
    RobotWorldOptions some = explorer();
    some.trouble.reset();
    some.faults = {fault};
    return some;
}

TEST(RobotWorld, SendsARobotThatIsDrivenToItsDockInTime) {
    int driven = 0;
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        RobotWorldOptions some =
            one_explorer({.kind = world::FaultKind::low_battery, .at = 5s, .value = 0.24});
        // First drive away from the charger.
        some.script = {{1s, "hold_key", 0}};
        std::string trace;
        some.trace = [&](std::string_view line) { trace += std::string(line) + "\n"; };
        const RobotWorldReport report = RobotWorld(seed, some).run();
        EXPECT_TRUE(report.violations.empty()) << to_string(report);
        EXPECT_EQ(report.robots[0].carried, 0U) << to_string(report);
        EXPECT_EQ(report.robots[0].starts, 1U) << to_string(report);
        EXPECT_GT(report.robots[0].battery, 0.25) << to_string(report);
        driven += trace.contains("RM3 -> RM2: station sends it to its dock") ? 1 : 0;
    }
    EXPECT_GE(driven, 1) << "no seed has started in RM3 away from its charger";
}

TEST(RobotWorld, CarriesAnEmptyRobotToItsCharger) {
    RobotWorldOptions some = one_explorer({.kind = world::FaultKind::low_battery, .at = 5s, .value = 0.02});
    some.plan = world::random_room(1);
    some.plan->charger->pose = {some.plan->cubes.front().at.x, some.plan->cubes.front().at.y, 0};
    some.plan->cubes.clear();
    const RobotWorldReport report = RobotWorld(1, some).run();
    EXPECT_TRUE(report.violations.empty()) << to_string(report);
    EXPECT_EQ(report.robots[0].carried, 1U) << to_string(report);
    EXPECT_EQ(report.robots[0].starts, 2U) << to_string(report);
    EXPECT_GT(report.robots[0].battery, 0.3) << to_string(report);
}

TEST(RobotWorld, ReportsTheTimeThatWasSimulated) {
    RobotWorldOptions some = options();
    some.time = 1h;
    some.most_held = 0;
    const RobotWorldReport report = RobotWorld(1, some).run();
    ASSERT_FALSE(report.violations.empty());
    EXPECT_LT(report.time, 1min);
    EXPECT_NE(to_string(report).find(" of 1h, "), std::string::npos) << to_string(report);
}

TEST(HeldAudit, SaysWhatHasGrownBeyondItsLimitOnce) {
    HeldAudit audit;
    audit.look(std::vector<robot::Held>{{"errors", 32, 32}});
    EXPECT_TRUE(audit.findings().empty());
    for (int i = 0; i < 2; ++i) audit.look(std::vector<robot::Held>{{"errors", 33, 32}});
    EXPECT_EQ(audit.findings(), std::vector<std::string>{"it holds 33 errors, and at most 32 are allowed"});
}

INSTANTIATE_TEST_SUITE_P(RobotWorld, RobotSeeds, testing::Range<std::uint64_t>(0, 10));
INSTANTIATE_TEST_SUITE_P(RobotWorld, RobotLives, testing::Range<std::uint64_t>(0, all_lives));

}  // namespace
}  // namespace caribou::sim
