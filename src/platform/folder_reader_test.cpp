#include "platform/folder_reader.hpp"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "platform/scratch_folder.hpp"
#include "platform/temporary_folder.hpp"

namespace caribou {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

TEST(FolderReader, ReadsAllFilesBelowByTheirPaths) {
    const TemporaryFolder folder;
    std::filesystem::create_directories(folder / "assets/empty");
    folder.write("index.html", "hello");
    folder.write("assets/a.js", std::string("a\0b", 3));
    const auto files = read_folder(folder.path());
    ASSERT_TRUE(files) << files.error().message;
    EXPECT_THAT(*files,
                ElementsAre(Pair("assets/a.js", std::string("a\0b", 3)), Pair("index.html", "hello")));
    EXPECT_FALSE(read_folder(folder.path(), 7)) << "8 bytes are more than 7";
}

TEST(FolderReader, SaysWhichFolderIsMissing) {
    const auto files = read_folder("/nowhere/at/all");
    ASSERT_FALSE(files);
    EXPECT_THAT(files.error().message, HasSubstr("/nowhere/at/all"));
}

TEST(ScratchFolder, GoesWithItsOwnerAndAllThatIsInIt) {
    std::filesystem::path path;
    {
        const auto folder = ScratchFolder::make("caribou-test");
        ASSERT_TRUE(folder) << folder.error().message;
        path = (*folder)->path();
        EXPECT_TRUE(std::filesystem::create_directories(path / "below" / "it"));
    }
    EXPECT_FALSE(std::filesystem::exists(path));
}

}  // namespace
}  // namespace caribou
