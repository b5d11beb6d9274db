#include "link/seats.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "base/random.hpp"

namespace caribou::link {
namespace {

using namespace std::chrono_literals;

constexpr SeatLimits limits{.per_role = 2, .shared = 2};

/// Returns connections of these roles, numbered from 1, the first idle longest.
std::vector<Seat> seats_of(std::initializer_list<Role> roles) {
    std::vector<Seat> seats;
    for (const Role role : roles)
        seats.push_back({seats.size() + 1, role, Instant(std::chrono::seconds(seats.size()))});
    return seats;
}

TEST(Seats, AreThereForEveryRoleHoweverManyObserve) {
    const auto seats = seats_of({Role::observe, Role::observe, Role::observe, Role::observe});
    EXPECT_EQ(seat_one_more(seats, Role::drive, limits), Seating{});
    EXPECT_EQ(seat_one_more(seats, Role::admin, limits), Seating{});
    EXPECT_EQ(seat_one_more(seats, Role::observe, limits), Seating{.closes = 1});
}

TEST(Seats, AreFreedByTheOneThatIsIdleLongest) {
    auto seats = seats_of({Role::observe, Role::observe, Role::observe, Role::observe});
    seats[0].active = Instant(1h);
    EXPECT_EQ(seat_one_more(seats, Role::observe, limits), Seating{.closes = 2});
}

TEST(Seats, OfBusyEqualsAreNotTakenButThoseOfLowerRolesAre) {
    auto seats = seats_of({Role::observe, Role::observe, Role::observe, Role::observe});
    const Instant second = seats[1].active;
    EXPECT_EQ(seat_one_more(seats, Role::observe, limits, seats[0].active), Seating{.admitted = false});
    EXPECT_EQ(seat_one_more(seats, Role::observe, limits, second), Seating{.closes = 1});
    const auto mixed =
        seats_of({Role::drive, Role::drive, Role::observe, Role::observe, Role::observe, Role::observe});
    EXPECT_EQ(seat_one_more(mixed, Role::drive, limits, Instant{}), Seating{.closes = 3});
}

TEST(Seats, OfAHigherRoleAreNeverTaken) {
    const auto seats =
        seats_of({Role::admin, Role::admin, Role::admin, Role::admin, Role::drive, Role::drive});
    EXPECT_EQ(seat_one_more(seats, Role::drive, limits), Seating{.closes = 5});
    EXPECT_EQ(seat_one_more(seats, Role::observe, limits), Seating{}) << "it has seats of its own";
}

TEST(Seats, ThatAreSharedGoToTheHigherRole) {
    const auto seats =
        seats_of({Role::drive, Role::drive, Role::observe, Role::observe, Role::observe, Role::observe});
    EXPECT_EQ(seat_one_more(seats, Role::drive, limits), Seating{.closes = 1});
    auto busy = seats;
    busy[0].active = busy[1].active = Instant(1h);
    EXPECT_EQ(seat_one_more(busy, Role::drive, limits), Seating{.closes = 3});
}

TEST(Seats, WithoutAnyOfItsOwnARoleMayBeRefused) {
    const auto seats = seats_of({Role::admin});
    EXPECT_EQ(seat_one_more(seats, Role::observe, SeatLimits::of(1)), Seating{.admitted = false});
    EXPECT_EQ(seat_one_more(seats, Role::admin, SeatLimits::of(1)), Seating{.closes = 1});
}

TEST(Seats, AreNeverMoreThanThereAreWhoeverComes) {
    Random random(7);
    std::vector<Seat> seats;
    for (std::uint64_t number = 1; number < 2000; ++number) {
        const auto role = static_cast<Role>(random.below(3));
        const Seating seating = seat_one_more(seats, role, limits);
        ASSERT_TRUE(seating.admitted);
        if (seating.closes)
            std::erase_if(seats, [&](const Seat& seat) {
                EXPECT_TRUE(seat.number != *seating.closes || seat.role <= role);
                return seat.number == *seating.closes;
            });
        seats.push_back({number, role, Instant(std::chrono::seconds(random.below(100)))});
        ASSERT_LE(seats.size(), limits.total());
    }
}

}  // namespace
}  // namespace caribou::link
