#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "loop/time.hpp"

namespace caribou::robot {

/// Limits the number of reboots by RM5, and records whether the robot had a station then. A reboot replaces
/// the process image, so the history is passed on as text.
class RebootLimit {
public:
    struct Rules {
        std::size_t most = 5;
        Duration within = std::chrono::minutes(10);
    };

    /// `history` is a result of history(); any other text counts as empty.
    RebootLimit(Rules rules, std::string_view history);

    /// Records a reboot of a robot with or without a station. Returns false if there were too many.
    bool reboot(Instant now, bool has_station = false);
    /// Returns whether the robot had a station at the last reboot.
    bool had_station() const { return had_station_; }
    /// Returns the recent reboots as text, for the next process image.
    std::string history() const;
    std::size_t count() const { return reboots_.size(); }

private:
    Rules rules_;
    std::vector<Instant> reboots_;  ///< on the monotonic clock, which a new image shares
    bool had_station_ = false;
};

}  // namespace caribou::robot
