#include "loop/limited_log.hpp"

#include <gtest/gtest.h>

#include "loop/virtual_loop.hpp"

namespace caribou {
namespace {

using namespace std::chrono_literals;

TEST(LimitedLog, PassesAFewLinesPerSecondAndCountsTheOthers) {
    VirtualLoop loop;
    MemoryLog all;
    LimitedLog log(all, loop.clock(), "mine.py", 3);
    loop.advance(1s);
    for (int i = 0; i < 1000; ++i) log.info("a line");
    EXPECT_EQ(all.lines.size(), 3U);
    log.tick();
    EXPECT_EQ(all.lines.size(), 3U);
    loop.advance(1s);
    log.tick();
    log.tick();
    ASSERT_EQ(all.lines.size(), 4U);
    EXPECT_EQ(all.lines.back().level, Level::warning);
    EXPECT_EQ(all.lines.back().text, "mine.py: 997 lines were dropped; more than 3 per second");
    log.warning(std::string(2 * LimitedLog::max_text, 'x'));
    EXPECT_EQ(all.lines.back().text.size(), LimitedLog::max_text);
}

}  // namespace
}  // namespace caribou
