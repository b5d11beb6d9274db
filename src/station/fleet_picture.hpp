#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/geometry.hpp"
#include "base/json_node.hpp"
#include "base/result.hpp"
#include "station/refusals.hpp"

namespace caribou::station {

/// What its autopilot is about.
struct RoutePicture {
    std::string state{};  ///< empty: it has no route
    std::string why{};
    std::string name{};
    std::vector<Vec2> points{};
    std::size_t next = 0;
};

/// A robot as a program at the station's interface sees it.
struct RobotPicture {
    std::string mode{};
    std::string why{};
    std::vector<std::string> groups{};
    std::string driver{};
    bool stale = false;
    std::string run_mode{};  ///< empty: there was no telemetry yet
    std::string waits_for{};
    std::string com_mode{};
    bool stopped = false;
    std::string behavior{};
    std::vector<std::string> faults{};
    double battery = 0;
    std::optional<double> at{};  ///< UNIX seconds by the station's clock
    Pose pose{};
    std::string movement{};
    std::optional<double> right_speed{};  ///< m/s; none: unknown
    std::optional<double> left_speed{};
    std::string winner{};
    std::string reason{};
    RoutePicture route{};
};

/// An answer to a request.
struct ToldAnswer {
    std::uint64_t id = 0;
    std::string kind{};
    std::string refusal{};
    std::string text{};
    bool final = false;
};
/// `DONE`, `WRONG_MODE: it drives itself`.
std::string to_string(const ToldAnswer& answer);

/// What a program has been told so far, put together: the other end of FleetFeed.
class FleetPicture {
public:
    /// Processes a message of the station. Fails with malformed if it is invalid.
    Result<void> take(std::string_view message);

    /// Returns whether the first complete state has been received.
    bool complete() const { return complete_; }
    const std::map<std::string, RobotPicture, std::less<>>& robots() const { return robots_; }
    /// Returns the station's time in its last message.
    double now() const { return now_; }
    const Refusals& refused() const { return refused_; }
    const std::string& you() const { return you_; }
    const std::string& role() const { return role_; }
    /// Those that came since the last time.
    std::vector<ToldAnswer> take_answers() { return std::exchange(answers_, {}); }
    /// Reports and errors, the same.
    std::vector<std::string> take_notices() { return std::exchange(notices_, {}); }

private:
    void take_state(const JsonNode& message);

    std::map<std::string, RobotPicture, std::less<>> robots_;
    std::vector<ToldAnswer> answers_;
    std::vector<std::string> notices_;
    std::string you_;
    std::string role_;
    Refusals refused_;
    double now_ = 0;
    bool complete_ = false;
};

}  // namespace caribou::station
