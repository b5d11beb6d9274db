#include "platform/http_seats.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace caribou {
namespace {

using namespace std::chrono_literals;
using Phase = HttpSeat::Phase;

constexpr HttpSeatLimits limits{.usual = 2, .total = 4, .grace = 200ms};
constexpr Instant now{10s};

std::optional<std::size_t> freed(const std::vector<HttpSeat>& seats) {
    return seat_to_free(seats, now, limits);
}

TEST(HttpSeats, FreesNoneUpToTheUsualNumber) {
    EXPECT_EQ(freed({{Phase::idle, now - 9s}, {Phase::idle, now - 8s}}), std::nullopt);
}

TEST(HttpSeats, FreesTheOldestOfWhichNothingHasArrivedFirst) {
    EXPECT_EQ(freed({{Phase::reading, now - 9s}, {Phase::idle, now - 8s}, {Phase::idle, now - 7s}}), 1U);
    EXPECT_EQ(freed({{Phase::writing, now - 9s}, {Phase::reading, now - 8s}, {Phase::idle, now}}), 0U);
}

TEST(HttpSeats, GivesAFreshConnectionTime) {
    EXPECT_EQ(freed({{Phase::reading, now - 199ms}, {Phase::idle, now - 100ms}, {Phase::idle, now}}),
              std::nullopt);
    EXPECT_EQ(freed({{Phase::reading, now - 200ms}, {Phase::idle, now - 100ms}, {Phase::idle, now}}), 0U);
}

TEST(HttpSeats, FreesTheOldestOfTheLargerGroupAboveTheTotal) {
    const HttpSeat ready{Phase::ready, now - 9s};
    const HttpSeat reading{Phase::reading, now - 3ms};
    const HttpSeat idle{Phase::idle, now};
    EXPECT_EQ(freed({ready, reading, idle, ready, idle}), 1U);
    EXPECT_EQ(freed({idle, ready, ready, ready, idle}), 1U) << "who has just connected is not closed";
    EXPECT_EQ(freed({ready, ready, ready, ready, ready, ready}), 0U);
}

TEST(HttpSeats, FreesNoCompleteRequestUpToTheTotal) {
    const HttpSeat ready{Phase::ready, now - 9s};
    EXPECT_EQ(freed({ready, ready, ready, ready}), std::nullopt);
}

TEST(HttpSeats, NeverFreesARequestForAWebSocket) {
    const HttpSeat socket{Phase::ready_socket, now - 9s};
    EXPECT_EQ(freed({socket, socket, socket, socket, socket}), std::nullopt);
}

}  // namespace
}  // namespace caribou
