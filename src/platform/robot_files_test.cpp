#include <sys/stat.h>

#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "platform/config_file.hpp"
#include "platform/file_log.hpp"
#include "platform/temporary_folder.hpp"

namespace caribou {
namespace {

std::string contents(const std::string& path) {
    std::stringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

TEST(ConfigFile, IsReplacedAsAWholeAndKeepsItsMode) {
    const TemporaryFolder folder;
    const std::string path = folder.write("robot.toml", "SendPort = 1\n");
    ASSERT_EQ(::chmod(path.c_str(), 0600), 0);
    ConfigFile file(path);
    EXPECT_EQ(file.read(), "SendPort = 1\n");
    EXPECT_TRUE(file.write("SendPort = 2\n"));
    EXPECT_EQ(contents(path), "SendPort = 2\n");
    struct stat present{};
    ASSERT_EQ(::stat(path.c_str(), &present), 0);
    EXPECT_EQ(present.st_mode & 0777U, 0600U);
    EXPECT_FALSE(std::filesystem::exists(path + ".new"));
}

TEST(ConfigFile, SaysWhyItCannotBeWritten) {
    const TemporaryFolder folder;
    ConfigFile file(folder / "no/such/robot.toml");
    const auto written = file.write("x");
    ASSERT_FALSE(written);
    EXPECT_THAT(written.error().message, testing::HasSubstr("No such file"));
    EXPECT_FALSE(file.read());
}

TEST(FileLog, AppendsAndSpellsControlCharactersOut) {
    const TemporaryFolder folder;
    const std::string path = folder.write("robot.log", "before\n");
    {
        auto log = FileLog::open(path, Level::info);
        ASSERT_TRUE(log);
        (*log)->debug("left out");
        (*log)->warning("a\x1b[1mb");
    }
    EXPECT_THAT(contents(path), testing::MatchesRegex("before\n.*warning: a.x1b.1mb\n"));
    EXPECT_FALSE(FileLog::open("/proc/no/such.log", Level::info));
}

}  // namespace
}  // namespace caribou
