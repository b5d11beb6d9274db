#include "adapters/bluez/cube_preference_file.hpp"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "platform/temporary_folder.hpp"

namespace caribou {
namespace {

using cubes::CubeAddress;

class CubePreference : public testing::Test {
protected:
    TemporaryFolder scratch;
    std::filesystem::path path = scratch / "state" / "preferred-cube";
};

TEST_F(CubePreference, SurvivesARestart) {
    EXPECT_FALSE(CubePreferenceFile(path).load()) << "there is no file yet";
    ASSERT_TRUE(CubePreferenceFile(path).save(CubeAddress{5}));
    EXPECT_EQ(CubePreferenceFile(path).load(), CubeAddress{5});
    EXPECT_FALSE(std::filesystem::exists(path.string() + ".new"));
    ASSERT_TRUE(CubePreferenceFile(path).save(CubeAddress{6}));
    EXPECT_EQ(CubePreferenceFile(path).load(), CubeAddress{6});
    ASSERT_TRUE(CubePreferenceFile(path).save(std::nullopt));
    EXPECT_FALSE(CubePreferenceFile(path).load());
}

TEST_F(CubePreference, StartsEmptyFromADamagedFile) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << "c0:be:00:0";
    EXPECT_FALSE(CubePreferenceFile(path).load());
    ASSERT_TRUE(CubePreferenceFile(path).save(CubeAddress{7}));
    EXPECT_EQ(CubePreferenceFile(path).load(), CubeAddress{7});
}

TEST_F(CubePreference, SaysWhyItWasNotSaved) {
    std::filesystem::create_directories(path);
    const auto saved = CubePreferenceFile(path).save(CubeAddress{1});
    ASSERT_FALSE(saved);
    EXPECT_THAT(saved.error().message,
                testing::HasSubstr("the preferred cube was not saved to " + path.string()));
}

}  // namespace
}  // namespace caribou
