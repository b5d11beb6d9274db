#include "kit/robot/robot_config_file.hpp"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "platform/temporary_folder.hpp"
#include "robot/robot_config.hpp"

namespace caribou::app {
namespace {

using testing::HasSubstr;

/// Returns why this tree cannot be set at a robot that runs; empty if it can.
std::string refusal_of_tree(const TemporaryFolder& folder, const std::string& tree,
                            bool has_own_classes = false) {
    const std::string path = folder.write("robot.toml", "name = \"rover\"\n");
    RobotConfigFile file(path, {.name = "rover",
                                .keys = [](const std::string& configured) { return KeyFolder(configured); },
                                .has_own_classes = has_own_classes});
    const auto changed = robot::with_parameter(file.read().value(), "ai.tree", tree, path);
    if (!changed) return changed.error().message;
    robot::ConfigStore& store = file;
    const auto good = store.check_value("ai.tree", *changed);
    return good ? "" : good.error().message;
}

TEST(RobotConfigFile, TakesNoTreeThatDoesNotLoad) {
    const TemporaryFolder folder;
    const std::string good =
        folder.write("good.json", R"({"base": "r", "behaviors": [{"class": "idle", "id": "r"}]})");
    const std::string own =
        folder.write("own.json", R"({"base": "r", "behaviors": [{"class": "mine", "id": "r"}]})");
    EXPECT_EQ(refusal_of_tree(folder, good), "");
    EXPECT_EQ(refusal_of_tree(folder, ""), "") << "the built-in one";
    EXPECT_THAT(refusal_of_tree(folder, own), HasSubstr("mine"));
    EXPECT_EQ(refusal_of_tree(folder, own, true), "") << "the program may know the class";
    for (const bool has_own_classes : {false, true}) {
        EXPECT_THAT(refusal_of_tree(folder, "/etc/passwd", has_own_classes), HasSubstr("/etc/passwd"));
        EXPECT_THAT(refusal_of_tree(folder, "nothere.json", has_own_classes), HasSubstr("nothere.json"));
        EXPECT_THAT(refusal_of_tree(folder, "/dev/null", has_own_classes), HasSubstr("/dev/null"));
    }
}

TEST(RobotConfigFile, WritesTheFileThatASymbolicLinkNames) {
    const TemporaryFolder folder;
    const std::string real = folder.write("real.toml", "name = \"rover\"\n");
    const std::string path = folder / "robot.toml";
    std::filesystem::create_symlink(real, path);
    RobotConfigFile file(path, {.name = "rover", .keys = {}});
    ASSERT_TRUE(file.write("name = \"rover\"\nSendPort = 7000\n"));
    EXPECT_TRUE(std::filesystem::is_symlink(path));
    EXPECT_THAT(ConfigFile(real).read().value(), HasSubstr("7000"));
}

}  // namespace
}  // namespace caribou::app
