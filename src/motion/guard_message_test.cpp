#include "motion/guard_message.hpp"

#include <gtest/gtest.h>

namespace caribou::motion {
namespace {

using namespace std::chrono_literals;

Bytes bytes_in(std::initializer_list<int> values) {
    Bytes bytes;
    for (const int value : values) bytes.push_back(static_cast<std::byte>(value));
    return bytes;
}

template <class Message>
Bytes encoded(const Message& message) {
    Bytes bytes;
    encode(message, bytes);
    return bytes;
}

TEST(GuardMessage, HasTheDocumentedBytes) {
    const RobotToGuard feed =
        GuardFeed{.at = Instant(Duration(0x0102030405060708)), .motors_on = true, .driver_lost = true};
    EXPECT_EQ(encoded(feed), bytes_in({2, 8, 7, 6, 5, 4, 3, 2, 1, 5}));
    const RobotToGuard facts = DriverFacts{.stops_without_feed = 500ms, .stop_frame = bytes_in({137, 0})};
    EXPECT_EQ(encoded(facts), bytes_in({3, 0xF4, 1, 0, 0, 137, 0}));
    EXPECT_EQ(encoded(RobotToGuard(DriverFacts{})), bytes_in({3, 0xFF, 0xFF, 0xFF, 0xFF}));
    EXPECT_EQ(encoded(GuardToRobot(GuardCut{"no", Duration(0x0102), true})),
              bytes_in({131, 2, 1, 0, 0, 0, 0, 0, 0, 1, 'n', 'o'}));
    EXPECT_EQ(encoded(GuardToRobot(GuardGaveUp{"no"})), bytes_in({132, 'n', 'o'}));
    EXPECT_EQ(encoded(GuardToRobot(GuardNotRestored{"no"})), bytes_in({133, 'n', 'o'}));
    EXPECT_EQ(encoded(RobotToGuard(GuardStart{"5e"})), bytes_in({1, '5', 'e'}));
    EXPECT_EQ(encoded(RobotToGuard(GuardBye{})), bytes_in({4, 1}));
}

TEST(GuardMessage, IsReadAsItWasWritten) {
    const std::vector<RobotToGuard> to_guard{
        GuardStart{},
        GuardStart{std::string(64, 'f')},
        GuardFeed{.at = Instant(5s), .moving = true},
        GuardFeed{.at = Instant(5s), .motors_on = true, .driver_lost = true},
        GuardBye{},
        GuardBye{.at_rest = false},
        DriverFacts{.stops_without_feed = 0ms, .stop_frame = bytes_in({1, 2, 3})},
        DriverFacts{.stops_without_feed = 60s,
                    .stop_frame = Bytes(GuardMessageLimits::stop_frame, std::byte{1})},
        DriverFacts{}};
    for (const RobotToGuard& message : to_guard)
        EXPECT_EQ(robot_to_guard_from(encoded(message)).value(), message);
    const std::vector<GuardToRobot> to_robot{GuardAlive{},
                                             GuardRestored{},
                                             GuardDriver{},
                                             GuardCut{"the driver has ended", 203ms, true},
                                             GuardCut{"no feed", 1s, false},
                                             GuardGaveUp{"5 cuts"},
                                             GuardNotRestored{"no device"}};
    for (const GuardToRobot& message : to_robot)
        EXPECT_EQ(guard_to_robot_from(encoded(message)).value(), message);
}

TEST(GuardMessage, IsRefusedUnlessItIsWhole) {
    for (const Bytes& bytes :
         {bytes_in({}), bytes_in({0}), Bytes(66, std::byte{1}), bytes_in({2, 0, 0, 0, 0, 0, 0, 0, 0}),
          bytes_in({2, 0, 0, 0, 0, 0, 0, 0, 0, 8}), bytes_in({2, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0}),
          bytes_in({3, 0, 0, 0}), bytes_in({3, 0xFE, 0xFF, 0xFF, 0xFF}), bytes_in({4}), bytes_in({4, 2}),
          bytes_in({4, 1, 0}), bytes_in({129})})
        EXPECT_FALSE(robot_to_guard_from(bytes)) << bytes.size();
    EXPECT_FALSE(robot_to_guard_from(encoded(
        RobotToGuard(DriverFacts{.stop_frame = Bytes(GuardMessageLimits::stop_frame + 1, std::byte{1})}))));
    for (const Bytes& bytes :
         {bytes_in({}), bytes_in({129, 0}), bytes_in({130, 0}), bytes_in({134, 0}), bytes_in({1}),
          bytes_in({131, 0, 0, 0, 0, 0, 0, 0, 0}), bytes_in({131, 0, 0, 0, 0, 0, 0, 0, 0, 2})})
        EXPECT_FALSE(guard_to_robot_from(bytes)) << bytes.size();
    EXPECT_FALSE(guard_to_robot_from(bytes_in({135})));
    Bytes cut = bytes_in({131, 0, 0, 0, 0, 0, 0, 0, 0, 1});
    cut.resize(cut.size() + GuardMessageLimits::reason + 1, std::byte{'x'});
    EXPECT_FALSE(guard_to_robot_from(cut)) << "its reason is too long";
}

TEST(GuardMessage, CutsALongReasonOff) {
    const auto cut = guard_to_robot_from(encoded(GuardToRobot(GuardCut{std::string(1000, 'x')})));
    EXPECT_EQ(std::get<GuardCut>(cut.value()).reason.size(), GuardMessageLimits::reason);
}

}  // namespace
}  // namespace caribou::motion
