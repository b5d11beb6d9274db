#include "adapters/robot_files/self_check_file.hpp"

#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "platform/temporary_folder.hpp"

namespace caribou {
namespace {

using testing::HasSubstr;

class SelfCheckFile : public testing::Test {
protected:
    SelfCheckFile() {
        config.body = "driver";
        config.body_command = {"base", "--port", "1"};
    }
    static std::string digest_of(const robot::RobotConfig& config) { return body_digest(config).value(); }

    TemporaryFolder scratch;
    std::string path = scratch / "rover.check";
    robot::RobotConfig config;
};

TEST_F(SelfCheckFile, CountsForTheBodyThatWasCheckedOnly) {
    EXPECT_EQ(self_check_objection(path, digest_of(config)), "no result is stored in " + path);
    ASSERT_TRUE(store_self_check(path, {.passed = true, .body = digest_of(config), .at = "today"}));
    EXPECT_EQ(self_check_objection(path, digest_of(config)), "");
    config.name = "another";
    EXPECT_EQ(self_check_objection(path, digest_of(config)), "") << "only the body counts";
    config.body_command.back() = "2";
    EXPECT_THAT(self_check_objection(path, digest_of(config)),
                HasSubstr("has changed since the self-check of today"));
}

TEST_F(SelfCheckFile, DoesNotCountIfItHasFailedOrCannotBeRead) {
    ASSERT_TRUE(store_self_check(path, {.body = digest_of(config), .at = "today"}));
    EXPECT_EQ(self_check_objection(path, digest_of(config)), "the self-check of today has failed");
    for (const char* const text : {"", "gibberish", "version = 9\n"}) {
        scratch.write("rover.check", text);
        EXPECT_THAT(self_check_objection(path, digest_of(config)), HasSubstr("cannot be used")) << text;
    }
}

TEST_F(SelfCheckFile, IncludesTheWiringOfALinuxBody) {
    config.body = "linux";
    config.body_file = scratch.write("wiring.toml", "a = 1\n");
    const std::string before = digest_of(config);
    scratch.write("wiring.toml", "a = 2\n");
    EXPECT_NE(digest_of(config), before);
    config.body_file = scratch / "none";
    EXPECT_FALSE(body_digest(config));
}

TEST_F(SelfCheckFile, KeepsAFileOfANewerVersion) {
    scratch.write("rover.check", "version = 2\n");
    ASSERT_TRUE(store_self_check(path, {.passed = true, .body = digest_of(config)}));
    EXPECT_EQ(self_check_objection(path, digest_of(config)), "");
    std::stringstream kept;
    kept << std::ifstream(path + ".newer").rdbuf();
    EXPECT_EQ(kept.str(), "version = 2\n");
}

}  // namespace
}  // namespace caribou
