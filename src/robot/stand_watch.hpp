#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "base/geometry.hpp"
#include "loop/time.hpp"

namespace caribou::robot {

/// Measures for how long a robot with the default tree stays in one place: without a reason (it is stuck), or
/// for one of a fixed list of reasons. For tests and benchmarks.
///
/// Both times are sums over one stay, which ends only when the robot has left the place: changes between
/// behaviors do not restart them.
class StandWatch {
public:
    /// Behaviors in which a robot stays in place on purpose: it charges, waits for a person, or plays.
    static constexpr std::array<std::string_view, 5> reasons{"rest", "fall_asleep", "be_carried", "connect",
                                                             "spin"};
    /// Radius in m within which it counts as staying in place.
    static constexpr double spot = 0.1;

    /// Must be called about once per second with the active behavior, to which the time since the last call
    /// is attributed.
    void look(Vec2 at, std::string_view behavior, Instant now) {
        if (!mark_ || distance(*mark_, at) > spot) {
            mark_ = at;
            last_ = now;
            stuck_here_ = stood_here_ = {};
            doing_here_.clear();
        }
        const bool has_reason = std::ranges::find(reasons, behavior) != reasons.end();
        (has_reason ? stood_here_ : stuck_here_) += now - last_;
        doing_here_[std::string(behavior)] += now - last_;
        last_ = now;
        stood_ = std::max(stood_, stood_here_);
        if (stuck_here_ <= stuck_) return;
        stuck_ = stuck_here_;
        stuck_doing_ = doing_here_;
        stuck_until_ = now;
    }

    /// Returns the longest time without a reason.
    Duration stuck() const { return stuck_; }
    /// Returns the behaviors of that stay with their times, for people: `explore 12 s, get_out 9 s, until 85
    /// s`.
    std::string stuck_in() const {
        std::string text;
        for (const auto& [behavior, time] : stuck_doing_)
            text += fmt::format("{} {:.0f} s, ", behavior, to_seconds(time));
        return text + fmt::format("until {:.0f} s", to_seconds(stuck_until_.time_since_epoch()));
    }
    /// Returns the longest time for a reason.
    Duration stood() const { return stood_; }

private:
    std::optional<Vec2> mark_;
    Instant last_{};
    Duration stuck_here_{};
    Duration stood_here_{};
    Duration stuck_{};
    Duration stood_{};
    std::map<std::string, Duration> doing_here_;   ///< by behavior
    std::map<std::string, Duration> stuck_doing_;  ///< in the longest stay
    Instant stuck_until_{};
};

}  // namespace caribou::robot
