#pragma once

#include <optional>

#include "link/com_mode.hpp"
#include "loop/time.hpp"

namespace caribou::robot {

/// The wanted directions of the link, and when it counts as lost.
struct ComRules {
    link::Directions wanted{.sending = true, .receiving = true};  ///< DefaultComMode
    Duration link_lost = std::chrono::seconds(3);
};

/// Which directions of the link are up. Receiving is up while a station is being received, and for
/// `link_lost` after that: a station that returns by then has only lost the motion, which the dead man's
/// switch ends by itself.
class ComModes {
public:
    explicit ComModes(ComRules rules) : rules_(rules) {}

    /// A station has authenticated or sent a sign of life at `at`.
    void heard(Instant at);
    /// Sets whether there is a destination for telemetry.
    void sending(bool up) { sending_ = up; }
    /// Marks receiving as down at once, without the grace time.
    void deaf() { last_heard_.reset(); }
    /// Sets whether commands are accepted (command 204).
    void listen(bool listens) { listens_ = listens; }

    /// Returns the directions that are up at `now`.
    link::ComMode mode(Instant now) const;
    /// Returns when the mode changes unless something is received; nullopt if it does not.
    std::optional<Instant> due(Instant now) const;
    /// Returns whether a station could connect.
    bool listens() const { return rules_.wanted.receiving && listens_; }
    bool wants_sending() const { return rules_.wanted.sending; }
    const ComRules& rules() const { return rules_; }

private:
    ComRules rules_;
    std::optional<Instant> last_heard_;
    bool sending_ = false;
    bool listens_ = true;
};

}  // namespace caribou::robot
