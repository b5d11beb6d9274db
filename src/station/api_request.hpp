#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/limits.hpp"
#include "base/result.hpp"
#include "loop/time.hpp"
#include "views/encodings.hpp"
#include "views/view.hpp"

namespace caribou::station {

/// A request to the station (docs/formats/station-api.md).
struct ApiRequest {
    enum class Type : std::uint8_t {
        command,       ///< for a robot
        stop_all,      ///< full stop of a group, or of all robots
        route,         ///< waypoints for a robot: load, start, pause, resume, abort, clear
        watch,         ///< views to receive, of which robots, and how often
        record,        ///< recordings: start, stop, list, delete
        replay,        ///< shows a recording: open, play, pause, seek, speed, close
        dismiss_stop,  ///< sends an unconfirmed full stop no more
        start_again,   ///< restarts the process of a robot that has exited
        heartbeat,     ///< shows that the program is alive; once sent, it must be repeated
    };

    Type type = Type::command;
    std::uint64_t id = 0;  ///< unique per client; repeated in the answer
    std::string robot{};
    std::string command{};
    double age = 0;                 ///< seconds since the command was given
    std::optional<double> given{};  ///< when it was given, by the station's Clock::boot_seconds()
    std::optional<double> sent{};   ///< time of a heartbeat, by the client's clock
    std::string group{};
    std::string action{};
    std::string route{};  ///< for `load`, in the format of docs/formats/route.md
    std::string name{};   ///< of a recording
    double to = 0;        ///< target of a seek, UNIX seconds
    double speed = 1;
    std::set<std::string> robots{};
    std::set<views::View> views{views::View::scan};
    views::CameraEncoding camera = views::CameraEncoding::full;  ///< preferred
    Duration period = std::chrono::milliseconds(200);

    friend bool operator==(const ApiRequest&, const ApiRequest&) = default;
};

struct ApiLimits {
    static constexpr std::size_t request = 64_KiB;  ///< bytes
    static constexpr std::size_t watched = 100;     ///< robots whose views are sent
    static constexpr double lowest_rate = 0.1;      ///< Hz
    static constexpr double highest_rate = 20;
    static constexpr double latest_time = 1e10;  ///< UNIX seconds
    static constexpr double highest_age = 1e6;   ///< seconds
    static constexpr double latest_boot = 1e9;   ///< seconds since the start of a machine
};

Result<ApiRequest> read_request(std::string_view text);
/// Returns the id of a request that read_request() refuses; nullopt if it has none.
std::optional<std::uint64_t> request_id(std::string_view text);

/// Returns the view of that name. Fails with not_found and a suggestion if there is none.
Result<views::View> view_named(std::string_view name);

}  // namespace caribou::station
