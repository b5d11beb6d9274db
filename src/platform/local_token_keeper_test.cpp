#include "platform/local_token_keeper.hpp"

#include <fstream>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "loop/virtual_loop.hpp"
#include "platform/temporary_folder.hpp"

namespace caribou {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

auto line(const char* part) { return testing::Field(&MemoryLog::Line::text, HasSubstr(part)); }

TEST(LocalTokenKeeper, TriesAgainUntilTheTokenCanBeStored) {
    const TemporaryFolder scratch;
    const fs::path blocked = scratch / "state";
    std::ofstream(blocked) << "a file where the folder should be";
    VirtualLoop loop;
    MemoryLog log;
    std::vector<std::string> tokens;
    const LocalTokenKeeper keeper(
        loop, {.folder = blocked / "caribou", .port = 9680},
        [&](const std::string& token) { tokens.push_back(token); }, log);
    EXPECT_EQ(keeper.token(), nullptr);
    loop.advance(10 * LocalTokenKeeper::period);
    EXPECT_THAT(tokens, IsEmpty());
    EXPECT_THAT(log.lines, ElementsAre(line("may only observe and stop"))) << "once";
    fs::remove(blocked);
    loop.advance(LocalTokenKeeper::period);
    ASSERT_NE(keeper.token(), nullptr);
    EXPECT_THAT(tokens, ElementsAre(keeper.token()->text()));
    EXPECT_TRUE(fs::exists(blocked / "caribou" / "web-9680.token"));
    loop.advance(10 * LocalTokenKeeper::period);
    EXPECT_THAT(log.lines, ElementsAre(line("observe"), line("is stored now")));
}

}  // namespace
}  // namespace caribou
