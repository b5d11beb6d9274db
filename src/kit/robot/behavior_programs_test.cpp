#include "kit/robot/behavior_programs.hpp"

#include <sys/stat.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kit/robot/robot_start.hpp"
#include "platform/temporary_folder.hpp"

namespace caribou::app {
namespace {

using testing::HasSubstr;

class BehaviorProgramsTest : public testing::Test {
protected:
    /// Returns the path of a program that executes these commands of the shell.
    std::string program(const std::string& name, const std::string& commands) const {
        const std::string path = folder_.write(name, "#!/bin/sh\n" + commands + "\n");
        EXPECT_EQ(::chmod(path.c_str(), 0700), 0);
        return path;
    }
    static std::string error(const robot::RobotConfig& config) {
        const auto described = describe_programs(config);
        return described ? "" : described.error().message;
    }
    robot::RobotConfig with(const std::string& path) const {
        robot::RobotConfig config;
        config.ai_programs = {path};
        return config;
    }

    TemporaryFolder folder_;
};

constexpr const char* hello =
    R"(echo '{"type": "hello", "version": 1, "classes": [{"kind": "action", "name": "wave"}]}'; cat > /dev/null)";

TEST_F(BehaviorProgramsTest, DescribesTheClassesOfAProgram) {
    const auto described = describe_programs(with(program("mine", hello)));
    ASSERT_TRUE(described.has_value()) << described.error().message;
    EXPECT_EQ(described->at(0).hello.classes.at(0).name, "wave");
}

TEST_F(BehaviorProgramsTest, ReportsWhatAProgramPrintedThatFails) {
    EXPECT_THAT(
        error(with(program("mine", "echo 'no such module' >&2; exit 1"))),
        testing::AllOf(HasSubstr("mine: it has ended without a description"), HasSubstr("no such module")));
    EXPECT_THAT(error(with(program("mine", "echo hello"))),
                HasSubstr("found `hello`; standard output belongs to the protocol"));
    EXPECT_THAT(error(with(program("mine", "true"))), HasSubstr("caribou.run_behaviors()"));
    EXPECT_THAT(error(with(folder_ / "missing")), HasSubstr("is not an executable file"));
    EXPECT_THAT(error(with(folder_ / "missing.py")), HasSubstr("there is no file"));
}

TEST_F(BehaviorProgramsTest, ChecksTreesWithTheirClasses) {
    robot::RobotConfig config = with(program("mine", hello));
    config.ai_tree = {folder_.write(
        "tree.json", R"({"base": "r", "behaviors": [{"class": "act", "id": "r", "action": "wave"}]})")};
    const auto good = check_tree(config, {}, describe_programs(config));
    EXPECT_TRUE(good.has_value()) << good.error().message;
    config.ai_programs.clear();
    const auto bad = check_tree(config, {}, describe_programs(config));
    ASSERT_FALSE(bad.has_value());
    EXPECT_THAT(bad.error().message, HasSubstr("no action is called `wave`"));
    config.ai_programs = {program("mine", hello), program("other", hello)};
    const auto twice = check_tree(config, {}, describe_programs(config));
    ASSERT_FALSE(twice.has_value());
    EXPECT_THAT(twice.error().message, HasSubstr("there is another class `wave`"));
}

}  // namespace
}  // namespace caribou::app
