#pragma once

#include <optional>

#include "link/answer.hpp"
#include "link/command.hpp"
#include "link/run_mode.hpp"
#include "loop/time.hpp"

namespace caribou::station {

/// State of a robot that follows from its answers to commands, with the time of the answer. Telemetry of an
/// earlier time does not show it, and a robot that only receives (CM2) sends none.
///
/// | command | answer | follows |
/// |---|---|---|
/// | `full_stop` | DONE | stopped |
/// | `release_stop` | DONE | not stopped |
/// | a movement other than HALT | DONE | not stopped |
/// | any | STOPPED | stopped |
/// | `set_run_mode`, `go_to_run_mode` | DONE | the mode |
/// | `power_off` | DONE | RM0 |
/// | `status brief=true` | DONE | the mode, and whether it is stopped |
class AcknowledgedState {
public:
    template <class T>
    struct Known {
        T value;
        Instant at;  ///< when the robot last confirmed it

        friend bool operator==(const Known&, const Known&) = default;
    };
    struct Mode {
        link::RunMode mode;
        std::optional<link::WaitReason> waits_for;

        friend bool operator==(const Mode&, const Mode&) = default;
    };

    /// Returns whether the answer, which arrived at `now`, has changed or confirmed the state.
    bool learn(const link::Command& command, const link::Answer& answer, Instant now);
    /// Must be called for a new connection: the robot may have been restarted, which a latched stop survives
    /// and a run mode does not.
    void connected() { mode_.reset(); }

    /// Returns whether a full stop is latched; nullopt if nothing was acknowledged after `telemetry_at`, the
    /// time of the latest telemetry, if any.
    std::optional<Known<bool>> stopped(std::optional<Instant> telemetry_at) const {
        return after(stopped_, telemetry_at);
    }
    /// Same, for the run mode.
    std::optional<Known<Mode>> mode(std::optional<Instant> telemetry_at) const {
        return after(mode_, telemetry_at);
    }

private:
    template <class T>
    static std::optional<Known<T>> after(const std::optional<Known<T>>& known,
                                         std::optional<Instant> telemetry_at) {
        if (!known || (telemetry_at && *telemetry_at >= known->at)) return std::nullopt;
        return known;
    }
    bool learn_state(const link::Answer& answer, Instant now);

    std::optional<Known<bool>> stopped_{};
    std::optional<Known<Mode>> mode_{};
};

}  // namespace caribou::station
