#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <utility>

#include "link/answer.hpp"
#include "loop/time.hpp"
#include "motion/motion.hpp"

namespace caribou::robot {

/// The command `go` from `ACCEPTED` to its final answer. It always ends: at the place, by a full stop, if
/// its place is removed or moved, after `max_tries` failed attempts of the behaviors, or after
/// link::dock_limit. A change of the run mode ends it as well, which the owner handles.
class Going {
public:
    static constexpr std::uint64_t max_tries = 3;

    /// The state of the robot at one time.
    struct Evidence {
        Instant at{};
        std::optional<motion::StopCause> stop{};
        std::uint64_t stops = 0;         ///< full stops since the robot started; one may be released already
        std::uint64_t arrivals = 0;      ///< of the behaviors, since the robot started
        std::uint64_t failed_tries = 0;  ///< same
        std::string failure{};           ///< of the last attempt
        std::uint64_t losses = 0;        ///< of its place, since the robot started
        std::string loss{};              ///< how it was lost last
    };
    /// The text of `DONE`, or the reason of the refusal.
    using End = std::expected<std::string, link::Objection>;

    Going(std::string place, Evidence start) : place_(std::move(place)), start_(std::move(start)) {}

    const std::string& place() const { return place_; }
    /// Returns the result, or nullopt while it is in progress.
    std::optional<End> look(const Evidence& now) const;

private:
    std::string place_;
    Evidence start_;
};

}  // namespace caribou::robot
