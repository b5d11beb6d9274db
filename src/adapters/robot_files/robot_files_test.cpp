#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "adapters/robot_files/config_file.hpp"
#include "adapters/robot_files/software_check.hpp"
#include "platform/descriptor.hpp"
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
    EXPECT_THAT(written.error().message, testing::HasSubstr("no such file"));
    EXPECT_FALSE(file.read());
}

TEST(ConfigFile, LeavesNothingBehindIfItCannotBeReplaced) {
    const TemporaryFolder folder;
    ConfigFile file(folder / "robot.toml");
    std::filesystem::create_directory(folder / "robot.toml");
    EXPECT_FALSE(file.write("x"));
    EXPECT_FALSE(std::filesystem::exists(folder / "robot.toml.new"));
}

TEST(ConfigFile, DoesNotWaitForAPipe) {
    const TemporaryFolder folder;
    const std::string path = folder / "robot.toml";
    for (const char* const pipe : {"robot.toml", "robot.toml.new"})
        ASSERT_EQ(::mkfifo((folder / pipe).c_str(), 0600), 0);
    ConfigFile file(path);
    EXPECT_EQ(file.read().error().message, path + " is not a regular file");
    EXPECT_THAT(file.write("x").error().message, testing::HasSubstr("was not written"));
}

TEST(FileLog, DoesNotWaitForTheReaderOfAPipe) {
    const TemporaryFolder folder;
    const std::string path = folder / "robot.log";
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
    EXPECT_THAT(FileLog::open(path, Level::info).error().message,
                testing::HasSubstr(path + " is a pipe that nobody reads"));
    const Descriptor reader(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
    const auto log = FileLog::open(path, Level::info);
    ASSERT_TRUE(log);
    (*log)->warning("read");
    std::array<char, 100> room{};
    EXPECT_GT(::read(reader.get(), room.data(), room.size()), 0);
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

class InstalledFiles : public testing::Test {
protected:
    InstalledFiles() {
        std::filesystem::create_directories(prefix_ / "bin");
        std::filesystem::create_directories(prefix_ / "share/caribou");
        prefix_.write("bin/caribou", "program\n");
        // The format of sha256sum.
        manifest_ =
            prefix_.write("share/caribou/manifest.sha256",
                          "fba13a37a73d657dc0f1e671f0dc714f9891dd4da15ec45bd2a6f83e0434648e  bin/caribou\n");
    }
    TemporaryFolder prefix_;
    std::string manifest_;
};

TEST_F(InstalledFiles, AreFoundByTheirProgram) {
    EXPECT_EQ(manifest_of(prefix_ / "bin/caribou"), manifest_);
    EXPECT_TRUE(std::filesystem::exists(own_program()));
    const auto nowhere = check_install(prefix_ / "share/caribou/no.sha256");
    EXPECT_FALSE(nowhere.files);
    EXPECT_THAT(nowhere.findings, testing::IsEmpty()) << "a build tree has none";
}

TEST_F(InstalledFiles, AreWhatTheManifestSays) {
    EXPECT_THAT(check_install(manifest_).findings, testing::IsEmpty());
    EXPECT_EQ(check_install(manifest_).files, 1);
    prefix_.write("bin/caribou", "another program\n");
    EXPECT_THAT(check_install(manifest_).findings,
                testing::ElementsAre(testing::HasSubstr("bin/caribou is not what was installed")));
    std::filesystem::remove(prefix_ / "bin/caribou");
    EXPECT_THAT(check_install(manifest_).findings,
                testing::ElementsAre(testing::HasSubstr("bin/caribou: no such file")));
    prefix_.write("share/caribou/manifest.sha256", "nonsense\n");
    EXPECT_THAT(check_install(manifest_).findings,
                testing::ElementsAre(testing::HasSubstr("makes no sense: `nonsense`")));
}

TEST_F(InstalledFiles, AreKnownByTheirPaths) {
    prefix_.write("bin/other", "");
    EXPECT_TRUE(is_installed(manifest_, prefix_ / "bin/../bin/caribou"));
    EXPECT_FALSE(is_installed(manifest_, prefix_ / "bin/other"));
    EXPECT_FALSE(is_installed(manifest_, prefix_ / "bin/nothing"));
    EXPECT_FALSE(is_installed(prefix_ / "share/caribou/no.sha256", prefix_ / "bin/caribou"));
}

TEST_F(InstalledFiles, AreCheckedWithRightsAndNetworkBeforeARobotStarts) {
    const auto failing = [](const std::vector<motion::PartCheck>& checks) {
        std::vector<std::string> parts;
        for (const auto& check : checks)
            if (!check.outcome) parts.push_back(check.part);
        return parts;
    };
    SoftwareNeeds needs{.program = prefix_ / "bin/caribou",
                        .read = {manifest_},
                        .written = {prefix_ / "robot.toml"},
                        .station = Address::ip("127.0.0.1", 9600)};
    EXPECT_THAT(failing(check_software(needs)), testing::IsEmpty());
    needs.read.push_back(prefix_ / "no.toml");
    EXPECT_THAT(failing(check_software(needs)), testing::ElementsAre("access rights"));
    needs.read.clear();
    needs.written = {prefix_ / "no/robot.toml"};
    prefix_.write("bin/caribou", "another program\n");
    EXPECT_THAT(failing(check_software(needs)), testing::ElementsAre("access rights", "installed files"));
}

}  // namespace
}  // namespace caribou
