#include "link/seats.hpp"

#include <algorithm>
#include <array>

namespace caribou::link {
namespace {

constexpr std::size_t role_count = static_cast<std::size_t>(Role::admin) + 1;
std::size_t place_of(Role role) { return static_cast<std::size_t>(role); }

}  // namespace

Seating seat_one_more(std::span<const Seat> seats, Role role, const SeatLimits& limits, Instant idle_before) {
    std::array<std::size_t, role_count> used{};
    for (const Seat& seat : seats) ++used.at(place_of(seat.role));
    if (used.at(place_of(role)) < limits.per_role) return {};
    std::size_t shared = 0;
    for (const std::size_t count : used) shared += count > limits.per_role ? count - limits.per_role : 0;
    if (shared < limits.shared) return {};
    const Seat* idlest = nullptr;
    for (const Seat& seat : seats) {
        // A connection with a lower role is closed only if that role uses a shared seat.
        const bool is_idle_equal = seat.role == role && seat.active < idle_before;
        const bool gives_way = is_idle_equal || (place_of(seat.role) < place_of(role) &&
                                                 used.at(place_of(seat.role)) > limits.per_role);
        if (gives_way && (!idlest || seat.active < idlest->active)) idlest = &seat;
    }
    if (!idlest) return {.admitted = false};
    return {.closes = idlest->number};
}

}  // namespace caribou::link
