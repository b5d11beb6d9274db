#include "bus/mission_override.hpp"

#include <gtest/gtest.h>

namespace caribou::bus {
namespace {

TEST(MissionOverride, ReplacesAGlobalKeyAndKeepsTheOldLineAsAComment) {
    EXPECT_EQ(override_global("ServerPort = 9000\n moostimewarp=1 // slow\nA = 2", "MOOSTimeWarp", "10"),
              "ServerPort = 9000\nMOOSTimeWarp = 10  // was: moostimewarp=1 // slow\nA = 2\n");
}

TEST(MissionOverride, LeavesBlocksAndCommentsAlone) {
    constexpr const char* text =
        "MOOSTimeWarp = 1\n// MOOSTimeWarp = 5\nProcessConfig = X\n{\n  MOOSTimeWarp = 2\n}\n";
    EXPECT_EQ(override_global(text, "MOOSTimeWarp", "4"),
              "MOOSTimeWarp = 4  // was: MOOSTimeWarp = 1\n// MOOSTimeWarp = 5\nProcessConfig = X\n{\n"
              "  MOOSTimeWarp = 2\n}\n");
}

TEST(MissionOverride, AddsAKeyThatIsMissing) {
    EXPECT_EQ(override_global("Community = a\n", "MOOSTimeWarp", "4"), "MOOSTimeWarp = 4\nCommunity = a\n");
}

}  // namespace
}  // namespace caribou::bus
