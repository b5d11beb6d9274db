#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "base/geometry.hpp"
#include "loop/time.hpp"

namespace caribou::robot {

/// Measures for how long a robot with the default tree stays in one place: without a reason (it is stuck), or
/// for one of a fixed list of reasons. For tests and benchmarks.
class StandWatch {
public:
    /// Behaviors in which a robot stays in place on purpose: it charges, plays, waits for a person, or rests
    /// on a walk.
    static constexpr std::array<std::string_view, 7> reasons{"rest", "fall_asleep", "be_carried", "connect",
                                                             "spin", "linger",      "leave_dock"};
    /// Radius in m within which it counts as staying in place.
    static constexpr double spot = 0.1;

    /// Must be called about once per second with the active behavior.
    void look(Vec2 at, std::string_view behavior, Instant now) {
        const bool has_reason = std::ranges::find(reasons, behavior) != reasons.end();
        if (!mark_ || distance(*mark_, at) > spot || has_reason != has_reason_) {
            mark_ = at;
            since_ = now;
            has_reason_ = has_reason;
        }
        Duration& worst = has_reason ? stood_ : stuck_;
        if (now - since_ <= worst) return;
        worst = now - since_;
        if (!has_reason) stuck_in_ = behavior;
    }

    /// Returns the longest time without a reason, and the behavior at its end.
    Duration stuck() const { return stuck_; }
    const std::string& stuck_in() const { return stuck_in_; }
    /// Returns the longest time for a reason.
    Duration stood() const { return stood_; }

private:
    std::optional<Vec2> mark_;
    Instant since_{};
    bool has_reason_ = false;
    Duration stuck_{};
    Duration stood_{};
    std::string stuck_in_;
};

}  // namespace caribou::robot
