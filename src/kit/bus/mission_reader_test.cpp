#include "kit/bus/mission_reader.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "platform/temporary_folder.hpp"
#include "platform/text_file.hpp"

namespace caribou {
namespace {

using testing::HasSubstr;

class MissionReader : public testing::Test {
protected:
    TemporaryFolder folder;
};

TEST_F(MissionReader, FillsMacrosFromTheEnvironment) {
    std::ofstream(folder / "m.moos") << "Community = ${CARIBOU_TEST_VEHICLE}\n";
    ::setenv("CARIBOU_TEST_VEHICLE", "alpha", 1);
    const auto mission = read_mission_file(folder / "m.moos");
    ASSERT_TRUE(mission);
    EXPECT_EQ(mission->find("Community")->value, "alpha");
}

TEST_F(MissionReader, SaysWhyAFileCannotBeRead) {
    const auto missing = read_mission_file(folder / "none.moos");
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().code, Code::not_found);
    EXPECT_THAT(missing.error().message, HasSubstr("none.moos: no such file"));
    const auto a_folder = read_mission_file(folder.path());
    ASSERT_FALSE(a_folder);
    EXPECT_EQ(a_folder.error().code, Code::io);
}

TEST_F(MissionReader, RefusesAFileThatIsTooLarge) {
    std::ofstream(folder / "large") << std::string(100, 'x');
    EXPECT_TRUE(read_text_file(folder / "large", 100));
    const auto large = read_text_file(folder / "large", 99);
    ASSERT_FALSE(large);
    EXPECT_EQ(large.error().code, Code::limit_exceeded);
}

}  // namespace
}  // namespace caribou
