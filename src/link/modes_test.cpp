#include <string>

#include <gtest/gtest.h>

#include "link/com_mode.hpp"
#include "link/role.hpp"
#include "link/run_mode.hpp"

namespace caribou::link {
namespace {

TEST(RunMode, IsReadAsPeopleWriteIt) {
    EXPECT_EQ(run_mode_from("3"), RunMode::rm3);
    EXPECT_EQ(run_mode_from("RM0"), RunMode::rm0);
    EXPECT_EQ(run_mode_from("rm5"), RunMode::rm5);
    EXPECT_EQ(run_mode_from("init"), RunMode::init);
    for (const char* wrong : {"", "6", "-1", "/", "RM6", "RM", "33", "RM3 "})
        EXPECT_FALSE(run_mode_from(wrong)) << wrong;
    for (int mode = 0; mode <= 6; ++mode)
        EXPECT_EQ(run_mode_from(to_string(static_cast<RunMode>(mode))), static_cast<RunMode>(mode));
}

TEST(ComMode, IsReadAsPeopleWriteIt) {
    for (int mode = 0; mode <= 3; ++mode) {
        EXPECT_EQ(com_mode_from(std::to_string(mode)), static_cast<ComMode>(mode));
        EXPECT_EQ(com_mode_from(to_string(static_cast<ComMode>(mode))), static_cast<ComMode>(mode));
    }
    for (const char* wrong : {"", "4", "-1", "/", "CM4", "CM", "33", "CM3 "})
        EXPECT_FALSE(com_mode_from(wrong)) << wrong;
}

TEST(WaitReason, EndsBySignalsOfItsOwnAndByTwoThatEndAll) {
    const struct {
        WaitReason reason;
        WakeSignal own;
    } rows[] = {{WaitReason::charging, WakeSignal::fully_charged},
                {WaitReason::waiting_to_transmit, WakeSignal::transmit_connection},
                {WaitReason::waiting_to_receive, WakeSignal::receive_connection},
                {WaitReason::timed_sleep, WakeSignal::timer_up},
                {WaitReason::requested_sleep, WakeSignal::timer_up}};
    for (const auto& [reason, own] : rows) {
        for (int i = 0; i <= static_cast<int>(WakeSignal::power_off); ++i) {
            const auto signal = static_cast<WakeSignal>(i);
            const bool expected =
                signal == own || signal == WakeSignal::server_requested || signal == WakeSignal::power_off;
            EXPECT_EQ(ends(signal, reason), expected) << to_string(signal) << " " << to_string(reason);
        }
        EXPECT_EQ(wait_reason_from(to_string(reason)), reason);
    }
    EXPECT_EQ(wait_reason_from("waiting_to_receive"), WaitReason::waiting_to_receive);
    EXPECT_FALSE(wait_reason_from("Bored"));
}

TEST(ComMode, FollowsFromTheDirectionsThatAreUp) {
    EXPECT_EQ(com_mode_of({}), ComMode::cm0);
    EXPECT_EQ(com_mode_of({.sending = true}), ComMode::cm1);
    EXPECT_EQ(com_mode_of({.receiving = true}), ComMode::cm2);
    EXPECT_EQ(com_mode_of({.sending = true, .receiving = true}), ComMode::cm3);
    for (int i = 0; i < 4; ++i) {
        const auto mode = static_cast<ComMode>(i);
        EXPECT_EQ(com_mode_of(directions_of(mode)), mode);
        EXPECT_EQ(com_mode_from(to_string(mode)), mode);
    }
    EXPECT_FALSE(com_mode_from("4"));
}

TEST(ComMode, MakesNoPairWithServerModeWithoutReceiving) {
    EXPECT_TRUE(is_invalid_pair(RunMode::rm3, ComMode::cm0));
    EXPECT_TRUE(is_invalid_pair(RunMode::rm3, ComMode::cm1));
    EXPECT_FALSE(is_invalid_pair(RunMode::rm3, ComMode::cm2));
    EXPECT_FALSE(is_invalid_pair(RunMode::rm2, ComMode::cm0));
}

TEST(Role, MayDoWhatThoseBelowMay) {
    EXPECT_TRUE(may(Role::admin, Role::drive));
    EXPECT_TRUE(may(Role::drive, Role::drive));
    EXPECT_FALSE(may(Role::observe, Role::drive));
    EXPECT_EQ(role_from("drive"), Role::drive);
    EXPECT_FALSE(role_from("root"));
}

}  // namespace
}  // namespace caribou::link
