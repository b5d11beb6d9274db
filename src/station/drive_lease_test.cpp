#include "station/drive_lease.hpp"

#include <gtest/gtest.h>

namespace caribou::station {
namespace {

using namespace std::chrono_literals;

const Asker ann{"ann#1", link::Role::drive, "token"};
const Asker bob{"bob#2", link::Role::drive, "token"};
constexpr Instant start = Instant{} + 1h;

TEST(DriveLease, IsOfTheFirstWhoDrives) {
    DriveLease lease(30s);
    EXPECT_FALSE(lease.use(ann, start));
    EXPECT_EQ(lease.use(bob, start)->text, "ann#1 drives; take_lease takes over");
    EXPECT_TRUE(lease.expire(start + 30s));
    EXPECT_FALSE(lease.use(bob, start + 30s));
}

TEST(DriveLease, IsNotGivenBackToAPersonWhoDrivesOnAfterItWasTaken) {
    DriveLease lease(30s);
    EXPECT_FALSE(lease.use(ann, start));
    EXPECT_FALSE(lease.take(bob, start));
    EXPECT_TRUE(lease.release(bob.name)) << "as when the program of bob ends";
    EXPECT_EQ(lease.use(ann, start + 4s)->refusal, link::Refusal::no_lease) << "a key that is still held";
    EXPECT_EQ(lease.holder(), "");
    EXPECT_FALSE(lease.use(ann, start + 5s));
}

TEST(DriveLease, IsTakenBackOnRequest) {
    DriveLease lease(30s);
    EXPECT_FALSE(lease.use(ann, start));
    EXPECT_FALSE(lease.take(bob, start));
    EXPECT_FALSE(lease.take(ann, start + 1s));
    EXPECT_FALSE(lease.use(ann, start + 2s));
    EXPECT_EQ(lease.take(bob, start + 2s)->refusal, link::Refusal::no_lease) << "once per 5 s";
}

TEST(DriveLease, IsNotTakenMoreOftenUnderAnotherName) {
    DriveLease lease(30s);
    EXPECT_FALSE(lease.use(ann, start));
    EXPECT_FALSE(lease.take(bob, start));
    EXPECT_FALSE(lease.take(ann, start + 1s));
    const Asker renamed{"rob#3", link::Role::drive, bob.key};
    EXPECT_EQ(lease.take(renamed, start + 2s)->text,
              "ann#1 drives, and the lease was taken with your key less than 5 s ago");
    EXPECT_FALSE(lease.take(renamed, start + 5s));
}

}  // namespace
}  // namespace caribou::station
