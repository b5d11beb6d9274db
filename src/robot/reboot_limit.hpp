#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "loop/time.hpp"

namespace caribou::robot {

/// How often RM5 may come. A reboot is a fresh process image, so the history travels as a text.
class RebootLimit {
public:
    struct Rules {
        std::size_t most = 5;
        Duration within = std::chrono::minutes(10);
    };

    /// `history` as told by history(); whatever else it is counts as none.
    RebootLimit(Rules rules, std::string_view history);

    /// Notes a reboot. False: there were too many.
    bool reboot(Instant now);
    std::string history() const;
    std::size_t count() const { return reboots_.size(); }

private:
    Rules rules_;
    std::vector<Instant> reboots_;  ///< by the monotonic clock, which a new image shares
};

}  // namespace caribou::robot
