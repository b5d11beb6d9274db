#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "base/result.hpp"
#include "robot/navigator.hpp"

namespace caribou::robot {

/// A pose in the map that a person or another program sends the robot to.
struct GoalPose {
    Pose pose{};
    bool keeps_heading = true;      ///< turn to the heading at the end
    std::optional<double> given{};  ///< when it was given, by Clock::boot_seconds(), if that is known
};

/// The course of a goal. Each kind except `running` is the last one.
struct GoalNews {
    enum class Kind : std::uint8_t { running, done, failed, refused };
    Kind kind{};
    std::string why{};  ///< of a failure or refusal

    friend bool operator==(const GoalNews&, const GoalNews&) = default;
};
using GoalTold = std::function<void(const GoalNews&)>;

/// Drives to a goal, tick by tick. Where the robot is hindered it backs off and tries again, twice.
class GoalDrive {
public:
    /// The navigator must outlive this object.
    GoalDrive(Navigator& navigator, const GoalPose& goal) : navigator_(navigator), goal_(goal) {}

    /// Sets the movement of this tick. Returns the outcome at the end, and nullopt before.
    std::optional<Result<void>> step(Instant now);

private:
    enum class Stage : std::uint8_t { plan, drive, back_off, turn };
    std::optional<Result<void>> enter(Stage stage, Instant now);
    std::optional<Result<void>> drive(Instant now);
    std::optional<Result<void>> turn(Instant now);

    Navigator& navigator_;
    GoalPose goal_;
    Stage stage_ = Stage::plan;
    Instant entered_{};
    int hindrances_ = 0;
};

}  // namespace caribou::robot
