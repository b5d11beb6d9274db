#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json_node.hpp"
#include "base/result.hpp"
#include "data/answer_message.hpp"
#include "data/clock_message.hpp"
#include "data/motion.hpp"
#include "data/route.hpp"
#include "data/status.hpp"
#include "link/role.hpp"
#include "link/run_mode.hpp"
#include "station/refusals.hpp"

namespace caribou::station {

/// The state of a robot as received by a client of the station's interface.
struct RobotPicture {
    data::Status status{};
    std::optional<data::Motion> motion{};  ///< nullopt before the first telemetry
    std::optional<data::Route> route{};    ///< nullopt if the robot has none

    bool is_in(link::RunMode mode) const { return status.robot && status.robot->run_mode == mode; }
};
/// Age in seconds at which the state of a robot without telemetry is no longer known: three times the period
/// at which the station requests it.
inline constexpr double confirmation_limit = 3;
/// Returns whether a full stop is latched, as the robot reports or confirms it at the time `now`; nullopt if
/// that is not known.
std::optional<bool> is_stopped(const data::Status& status, double now);
/// Returns whether a full stop was latched when the robot last reported or confirmed it; false if it never
/// did.
bool was_stopped(const data::Status& status);
/// Returns `STOP NOT CONFIRMED for 12 s (ann): rover is not connected`; empty if no stop is unconfirmed.
std::string pending_stop_text(const data::Status& status, double now);
/// Returns the run mode, in RM1 with the reason, such as `RM1(TimedSleep)`, or `-` before the first
/// telemetry.
std::string run_mode_text(const RobotPicture& robot);

/// Returns why the robot is not connected or, of one that is connected, when and why the autopilot has ended;
/// empty if neither is known.
std::string reason_of_mode(const data::Status& status, double now);

/// Returns `DONE`, or `WRONG_MODE: in RM2 it drives itself`.
std::string to_string(const data::AnswerMessage& answer);

/// The client side of FleetFeed: the state assembled from all messages received.
class FleetPicture {
public:
    /// Processes a message of the station. Fails with malformed if it is invalid.
    Result<void> take(std::string_view message);

    /// Returns whether the first complete state has been received.
    bool complete() const { return complete_; }
    const std::map<std::string, RobotPicture, std::less<>>& robots() const { return robots_; }
    /// Returns the station's time in its last message.
    double now() const { return now_; }
    /// Returns the name of the recording that the state comes from; empty if the robots are live.
    const std::string& replay() const { return replay_; }
    const Refusals& refused() const { return refused_; }
    const std::string& you() const { return you_; }
    link::Role role() const { return role_; }
    /// Returns the latest reply to a heartbeat with a time, if one was received since the last call.
    std::optional<data::ClockMessage> take_clock() { return std::exchange(clock_, {}); }
    /// Returns the answers received since the last call.
    std::vector<data::AnswerMessage> take_answers() { return std::exchange(answers_, {}); }
    /// Returns the reports and errors received since the last call.
    std::vector<std::string> take_notices() { return std::exchange(notices_, {}); }

private:
    Result<void> take_state(const JsonNode& message);

    std::map<std::string, RobotPicture, std::less<>> robots_;
    std::vector<data::AnswerMessage> answers_;
    std::vector<std::string> notices_;
    std::optional<data::ClockMessage> clock_;
    std::string you_;
    std::string replay_;
    link::Role role_ = link::Role::observe;
    Refusals refused_;
    double now_ = 0;
    bool complete_ = false;
};

}  // namespace caribou::station
