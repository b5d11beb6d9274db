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

namespace caribou::app {

/// Parses `battery=20`: a fact and its value. `battery=`: it becomes unknown.
struct FactSetting {
    std::string fact;
    std::optional<behavior::Value> value;
};
/// Parses true and false as bools, text that parses as a number as one, and the rest as text.
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
    void drive(motion::MovementCommand) override {}
    void drive_touching(motion::MovementCommand) override {}
    void set_lights(motion::BodyLights) override {}

private:
    motion::BodyPlan plan_;
    robot::TelemetryRound round_;
};

/// Which actions trees may use: those of robots, or also `set` and `say`, which exist in trials only.
enum class TreeActions : std::uint8_t { of_robots, of_trials };

/// A simulated world for trees with named values, one simulated cube and a robot that does not move: the
/// classes of the engine, of cubes and of robots, actions that set facts or print text, and stand-ins for
/// classes that only a robot has.
class FakeWorld {
public:
    /// A stand-in accepts all keys. It stays active until it is canceled; if it has children, it delegates to
    /// the first that wants.
    explicit FakeWorld(const std::vector<std::string>& stand_ins,
                       TreeActions actions = TreeActions::of_trials);
    FakeWorld(const FakeWorld&) = delete;
    FakeWorld& operator=(const FakeWorld&) = delete;

    const behavior::ClassRegistry& classes() const { return classes_; }
    const behavior::Facts& facts() const { return facts_; }

    /// Connects the cube to a runner, which must be destroyed first.
    void join(behavior::BehaviorRunner& runner);
    Instant now() const { return loop_.clock().now(); }
    /// Advances the time, also for the cube.
    void advance(Duration time) { loop_.advance(time); }

    void apply(const FactSetting& setting);
    /// Applies the changes requested by actions in the last tick. Must be called between ticks.
    void apply_changes() { changes_.apply_to(facts_); }
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
    behavior::Facts facts_;
    behavior::FactChanges changes_;
    std::vector<std::string> said_;
};

}  // namespace caribou::app
