#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "link/role.hpp"
#include "loop/time.hpp"

namespace caribou::link {

/// How many connections of one kind there may be. Each role has seats of its own; the rest is shared.
struct SeatLimits {
    std::size_t per_role = 2;
    std::size_t shared = 2;

    std::size_t total() const { return 3 * per_role + shared; }
    /// A quarter of `total` for each role.
    static SeatLimits of(std::size_t total) { return {total / 4, total - total / 4 * 3}; }
};

/// A connection that has a seat.
struct Seat {
    std::uint64_t number = 0;
    Role role = Role::observe;
    Instant active{};  ///< when it last asked for something; the epoch, if it never did
};

/// Whether one more connection gets a seat, and at whose expense.
struct Seating {
    bool admitted = true;
    std::optional<std::uint64_t> closes{};  ///< the connection to close first

    friend bool operator==(const Seating&, const Seating&) = default;
};

/// Decides on one more connection of this role. When seats run out, the connection of the same or a lower
/// role that has been idle longest is closed: nobody keeps a role out by holding connections of a lower one,
/// and a role that has seats of its own is never refused.
Seating seat_one_more(std::span<const Seat> seats, Role role, const SeatLimits& limits);

}  // namespace caribou::link
