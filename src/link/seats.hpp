#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "link/role.hpp"
#include "loop/time.hpp"

namespace caribou::link {

/// Limits for the number of connections of one kind. Each role has reserved seats; the rest is shared.
struct SeatLimits {
    std::size_t per_role = 2;
    std::size_t shared = 2;

    std::size_t total() const { return 3 * per_role + shared; }
    /// Returns limits with a quarter of `total` reserved for each role.
    static SeatLimits of(std::size_t total) { return {total / 4, total - total / 4 * 3}; }
};

/// A connection that has been admitted.
struct Seat {
    std::uint64_t number = 0;
    Role role = Role::observe;
    Instant active{};  ///< last request; the epoch if there was none
};

/// Whether a further connection is admitted, and which one is closed for it.
struct Seating {
    bool admitted = true;
    std::optional<std::uint64_t> closes{};  ///< connection to close first

    friend bool operator==(const Seating&, const Seating&) = default;
};

/// Decides on a further connection of this role. If all seats are taken, the connection of the same or a
/// lower role that has been idle longest is closed: connections of a lower role cannot block a higher one.
/// A connection of the same role is closed only if its last request was before `idle_before`; by default a
/// role with reserved seats is never refused.
Seating seat_one_more(std::span<const Seat> seats, Role role, const SeatLimits& limits,
                      Instant idle_before = Instant::max());

}  // namespace caribou::link
