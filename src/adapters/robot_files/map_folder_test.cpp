#include "adapters/robot_files/map_folder.hpp"

#include <sys/stat.h>

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "platform/temporary_folder.hpp"
#include "platform/text_file.hpp"

namespace caribou {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(MapFolder, StoresMapsByName) {
    const TemporaryFolder scratch;
    MapFolder folder(scratch / "rover.maps");
    EXPECT_THAT(*folder.names(), IsEmpty());
    EXPECT_EQ(folder.load("flat").error().code, Code::not_found);
    EXPECT_EQ(folder.remove("flat").error().code, Code::not_found);
    EXPECT_TRUE(folder.save("flat", "a map"));
    EXPECT_TRUE(folder.save("attic", "another"));
    EXPECT_TRUE(folder.save("flat", "a newer map"));
    scratch.write("rover.maps/notes.txt", "");
    EXPECT_THAT(*folder.names(), ElementsAre("attic", "flat"));
    EXPECT_EQ(folder.load("flat"), "a newer map");
    EXPECT_FALSE(std::filesystem::exists(scratch / "rover.maps/flat.map.new"));
    EXPECT_TRUE(folder.remove("flat"));
    EXPECT_THAT(*folder.names(), ElementsAre("attic"));
}

TEST(MapFolder, CopiesAMapOfAnEarlierVersion) {
    const TemporaryFolder scratch;
    MapFolder folder(scratch / "maps");
    EXPECT_EQ(folder.back_up("flat", 1).error().code, Code::not_found);
    EXPECT_TRUE(folder.save("flat", "a map"));
    EXPECT_TRUE(folder.back_up("flat", 1));
    EXPECT_TRUE(folder.save("flat", "a newer map"));
    EXPECT_EQ(read_text_file(scratch / "maps/flat.map.1", 100), "a map");
    EXPECT_THAT(*folder.names(), ElementsAre("flat"));
}

TEST(MapFolder, KeepsTheMapBeforeIfItCannotBeWritten) {
    const TemporaryFolder scratch;
    MapFolder folder(scratch / "maps");
    EXPECT_TRUE(folder.save("flat", "a map"));
    std::filesystem::create_directory(scratch / "maps/flat.map.new");
    EXPECT_THAT(folder.save("flat", "a newer map").error().message, HasSubstr("was not written"));
    EXPECT_EQ(folder.load("flat"), "a map");
}

TEST(MapFolder, ListsFilesAlone) {
    const TemporaryFolder scratch;
    MapFolder folder(scratch / "maps");
    EXPECT_TRUE(folder.save("flat", "a map"));
    ASSERT_EQ(::mkfifo((scratch / "maps/pipe.map").c_str(), 0600), 0);
    std::filesystem::create_directory(scratch / "maps/folder.map");
    std::filesystem::create_symlink("nothing", scratch / "maps/lost.map");
    EXPECT_THAT(*folder.names(), ElementsAre("flat"));
}

TEST(MapFolder, HasNoMapOutsideOfIt) {
    const TemporaryFolder scratch;
    MapFolder folder(scratch / "maps");
    scratch.write("secret.map", "x");
    for (const char* const name : {"../secret", "", ".", "a/b", "a.b"}) {
        EXPECT_EQ(folder.load(name).error().code, Code::invalid_argument) << name;
        EXPECT_EQ(folder.save(name, "x").error().code, Code::invalid_argument) << name;
        EXPECT_EQ(folder.remove(name).error().code, Code::invalid_argument) << name;
    }
}

}  // namespace
}  // namespace caribou
