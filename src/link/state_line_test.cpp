#include "link/state_line.hpp"

#include <gtest/gtest.h>

namespace caribou::link {
namespace {

TEST(StateLine, ReadsWhatItWrites) {
    const StateLine asleep{RunMode::rm1, WaitReason::timed_sleep, ComMode::cm2, true};
    EXPECT_EQ(to_string(asleep), "RM1(TimedSleep) CM2 stopped");
    EXPECT_EQ(state_line_from(to_string(asleep)), asleep);
    const StateLine driven{RunMode::rm3, {}, ComMode::cm2, false};
    EXPECT_EQ(to_string(driven), "RM3 CM2 not_stopped");
    EXPECT_EQ(state_line_from(to_string(driven)), driven);
}

TEST(StateLine, RefusesOtherTexts) {
    for (const char* const text :
         {"", "RM3", "RM3 CM2", "RM3 CM2 stoppe", "RM3 CM2 stopped now", "RM9 CM2 stopped", "RM3 CM9 stopped",
          "RM1(Tea) CM2 stopped", "RM1( CM2 stopped", "RM1) CM2 stopped", "RM3  CM2 stopped"})
        EXPECT_FALSE(state_line_from(text)) << text;
}

}  // namespace
}  // namespace caribou::link
