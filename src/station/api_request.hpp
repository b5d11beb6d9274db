#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "base/limits.hpp"
#include "base/result.hpp"
#include "loop/time.hpp"
#include "views/view.hpp"

namespace caribou::station {

/// What a program asks of the station, as docs/formats/station-api.md lays it out.
struct ApiRequest {
    enum class Type : std::uint8_t {
        command,      ///< of a robot
        stop_all,     ///< full stop of a group, or of all
        route,        ///< way-points for a robot: load, start, pause, resume, abort
        watch,        ///< which views of which robots to tell, and how often
        record,       ///< start and stop
        replay,       ///< a recording in place of the present: open, play, pause, seek, speed, close
        start_again,  ///< the process of a robot that has ended
        heartbeat,    ///< the program is alive; whoever has sent one sends on
    };

    Type type = Type::command;
    std::uint64_t id = 0;  ///< unique for who asks; the answer carries it
    std::string robot{};
    std::string command{};
    double age = 0;  ///< seconds since a person or a program gave the command
    std::string group{};
    std::string action{};
    std::string route{};  ///< the text of docs/formats/route.md, to load
    std::string name{};   ///< of a recording
    double to = 0;        ///< where to go in it: UNIX seconds
    double speed = 1;
    std::set<std::string> robots{};
    std::set<views::View> views{views::View::scan};
    Duration period = std::chrono::milliseconds(200);

    friend bool operator==(const ApiRequest&, const ApiRequest&) = default;
};

struct ApiLimits {
    static constexpr std::size_t request = 64_KiB;  ///< bytes
    static constexpr std::size_t watched = 100;     ///< robots whose views are told
    static constexpr double lowest_rate = 0.1;      ///< Hz
    static constexpr double highest_rate = 20;
    static constexpr double latest_time = 1e10;  ///< UNIX seconds
    static constexpr double highest_age = 1e6;   ///< seconds
};

Result<ApiRequest> read_request(std::string_view text);

/// The view of that name, as programs ask for it. not_found, with a suggestion: there is none.
Result<views::View> view_named(std::string_view name);

}  // namespace caribou::station
