#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>

#include "link/answer.hpp"
#include "loop/time.hpp"
#include "motion/motion.hpp"

namespace caribou::robot {

/// The command `dock` from `ACCEPTED` to its final answer. It always ends: on the charger, by a full stop,
/// after `max_tries` failed attempts of the behaviors, or after link::dock_limit. A change of the run mode
/// ends it as well, which the owner handles.
class Docking {
public:
    static constexpr std::uint64_t max_tries = 3;
    /// Contact without RM1(Charging) for this time means that the battery is full.
    static constexpr Duration settle = std::chrono::seconds(3);

    /// The state of the robot at one time.
    struct Evidence {
        Instant at{};
        std::optional<motion::StopCause> stop{};
        std::uint64_t stops = 0;  ///< full stops since the robot started; one may be released already
        bool on_charger = false;
        std::uint64_t failed_tries = 0;  ///< of the behaviors, since the robot started
        std::string failure{};           ///< of the last attempt
    };
    /// The text of `DONE`, or the reason of the refusal.
    using End = std::expected<std::string, link::Objection>;

    explicit Docking(const Evidence& start)
        : began_(start.at), stops_before_(start.stops), failed_before_(start.failed_tries) {}

    /// Returns the result, or nullopt while it is in progress.
    std::optional<End> look(const Evidence& now);

private:
    Instant began_;
    std::uint64_t stops_before_;
    std::uint64_t failed_before_;
    std::optional<Instant> contact_since_;
};

}  // namespace caribou::robot
