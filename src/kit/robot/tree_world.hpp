#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "behavior/class_registry.hpp"
#include "behavior/fact_changes.hpp"
#include "behavior/facts.hpp"
#include "behavior/runner.hpp"
#include "cubes/cube_system.hpp"
#include "cubes/simulated_radio.hpp"
#include "loop/virtual_loop.hpp"
#include "robot/ai_control.hpp"
#include "robot/cube_gate.hpp"
#include "robot/own_classes.hpp"
#include "robot/robot_facts.hpp"

namespace caribou::app {

/// `battery=20`: a fact and its value. `battery=`: it becomes unknown.
struct FactSetting {
    std::string fact;
    std::string value;  ///< empty: unknown
};
Result<FactSetting> parse_setting(std::string_view text);

/// Parses `12:battery=20`: a setting before that tick.
struct TimedSetting {
    std::uint64_t tick;
    FactSetting setting;
};
Result<TimedSetting> parse_timed_setting(std::string_view text);

/// A robot without sensor data that never moves.
class StandingRobot final : public robot::AiControl {
public:
    const motion::BodyPlan& body() const override { return plan_; }
    const robot::TelemetryRound& telemetry() const override { return round_; }
    void drive(motion::MotionCommand) override {}
    void drive_touching(motion::MotionCommand) override {}
    void set_lights(motion::BodyLights) override {}

private:
    motion::BodyPlan plan_;
    robot::TelemetryRound round_;
};

/// What trees may use: the same as on a robot, or also `say`, and `set` for the facts of a robot, which no
/// robot sets in a trial.
enum class TreeActions : std::uint8_t { of_robots, of_trials };

/// A simulated world for trees with named values, one simulated cube and a robot that does not move: the
/// classes of the engine, of cubes and of robots, actions that set facts or print text, and stand-ins for
/// classes that only a robot has.
class FakeWorld {
public:
    /// For `stand_ins` see behavior::parse_stand_in(); those that are invalid are ignored. See
    /// robot::register_robot_facts() for `bus_variables`. `own` adds the classes of a program; may be empty.
    explicit FakeWorld(const std::vector<std::string>& stand_ins,
                       TreeActions actions = TreeActions::of_trials,
                       const std::optional<std::vector<std::string>>& bus_variables = std::nullopt,
                       const robot::AddOwnClasses& own = {});
    FakeWorld(const FakeWorld&) = delete;
    FakeWorld& operator=(const FakeWorld&) = delete;

    const behavior::ClassRegistry& classes() const { return classes_; }
    const behavior::Facts& facts() const { return facts_; }

    /// Connects the cube to a runner, which must be destroyed first.
    void join(behavior::BehaviorRunner& runner);
    Instant now() const { return loop_.clock().now(); }
    /// Advances the time, also for the cube.
    void advance(Duration time) { loop_.advance(time); }

    /// Accepts settings of these facts, which a tree declares, in addition.
    void know(const behavior::FactDeclarations& facts) { own_.insert(facts.begin(), facts.end()); }
    /// The same, and sets those that have a default and are unknown.
    void declare(const behavior::FactDeclarations& facts);
    /// Returns the value of a setting; nullopt: unknown. Fails if nothing declares the fact, or if the value
    /// does not fit it.
    Result<std::optional<behavior::Value>> value_of(const FactSetting& setting) const;
    /// Applies a setting for which value_of() succeeds.
    void apply(const FactSetting& setting);
    /// Applies the changes requested by actions in the last tick, and the events of the cube. Must be called
    /// between ticks.
    void apply_changes();
    /// Returns the texts printed since the last call.
    std::vector<std::string> take_said() { return std::exchange(said_, {}); }

private:
    VirtualLoop loop_;
    NullLog log_;
    cubes::SimulatedRadio radio_{loop_};
    cubes::MemoryPreferenceStore preferences_;
    cubes::CubeSystem cubes_{loop_, radio_, preferences_, log_};
    robot::CubeRequirementGate gate_{cubes_.coordinator};
    StandingRobot robot_;
    behavior::ClassRegistry classes_;
    behavior::FactDeclarations own_;  ///< of trees
    behavior::Facts facts_;
    behavior::FactChanges changes_;
    robot::CubeFacts cube_facts_;
    std::vector<std::string> said_;
};

}  // namespace caribou::app
