#pragma once

#include <optional>

#include "link/com_mode.hpp"
#include "loop/time.hpp"

namespace caribou::robot {

struct ComRules {
    link::Directions wanted{.sending = true, .receiving = true};  ///< DefaultComMode
    Duration link_lost = std::chrono::seconds(3);
};

/// Which directions of the link are up. Receiving is up while a station is heard, and counts as up for
/// `link_lost` longer: a station that is back by then has lost nothing but the motion, which the
/// dead-man ends by itself.
class ComModes {
public:
    explicit ComModes(ComRules rules) : rules_(rules) {}

    /// A station has proved itself, or says that it is still there.
    void heard(Instant now);
    /// Telemetry has somewhere to go, or has not.
    void sending(bool up) { sending_ = up; }
    /// Receiving is given up for good, without the benefit of the doubt.
    void deaf() { last_heard_.reset(); }
    /// Commands are listened for, or are not: command 204.
    void listen(bool listens) { listens_ = listens; }

    link::ComMode mode(Instant now) const;
    /// When the mode changes unless something is heard. None: it does not.
    std::optional<Instant> due(Instant now) const;
    /// Whether a station could make itself heard.
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
