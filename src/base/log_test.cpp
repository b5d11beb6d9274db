#include "base/log.hpp"

#include <gtest/gtest.h>

namespace caribou {
namespace {

TEST(MemoryLog, KeepsLinesWithTheirLevelsInOrder) {
    MemoryLog log;
    log.debug("a");
    log.info("b");
    log.warning("c");
    log.error("d");
    ASSERT_EQ(log.lines.size(), 4u);
    EXPECT_EQ(log.lines[0].level, Level::debug);
    EXPECT_EQ(log.lines[1].level, Level::info);
    EXPECT_EQ(log.lines[2].level, Level::warning);
    EXPECT_EQ(log.lines[3].level, Level::error);
    EXPECT_EQ(log.lines[3].text, "d");
}

TEST(MemoryLog, FindsATextInsideALine) {
    MemoryLog log;
    EXPECT_FALSE(log.mentions("wolf"));
    log.info("a wolf in the herd");
    EXPECT_TRUE(log.mentions("wolf"));
    EXPECT_FALSE(log.mentions("bear"));
}

TEST(NullLog, TakesEverythingWithoutAWord) {
    NullLog log;
    log.error("nobody hears this");
}

TEST(Level, HasAName) {
    EXPECT_EQ(to_string(Level::debug), "debug");
    EXPECT_EQ(to_string(Level::info), "info");
    EXPECT_EQ(to_string(Level::warning), "warning");
    EXPECT_EQ(to_string(Level::error), "error");
}

}  // namespace
}  // namespace caribou
