#pragma once

#include <optional>
#include <string_view>

#include "loop/time.hpp"

namespace caribou::bus {

/// Measures the load of an app, and decides when it publishes it (docs/formats/appcast.md): after each
/// iteration while a request, a value of LOADCAST_REQ, is alive. All times are warped.
class LoadReport {
public:
    /// Relative to the time between two iterations that is configured (1 / AppTick).
    struct Load {
        double gap;     ///< measured time between the beginnings of the last two iterations
        double length;  ///< time that the last iteration took

        friend bool operator==(const Load&, const Load&) = default;
    };

    /// Handles a request. Malformed ones, and those for other apps, have no effect.
    void on_request(std::string_view text, std::string_view app, Instant now);
    /// Must be called before each iteration.
    void begin(Instant now);
    /// Must be called after each iteration. Returns the load to be published; nullopt if none is requested,
    /// at the first iteration, and for an app without a regular tick.
    std::optional<Load> end(Instant now, double app_tick) const;

private:
    Instant expires_{};
    std::optional<Instant> before_{};  ///< beginning of the iteration before
    std::optional<Instant> began_{};
};

}  // namespace caribou::bus
