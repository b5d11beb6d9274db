#include "platform/file_disk.hpp"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "platform/temporary_folder.hpp"

namespace caribou {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

class FileDiskTest : public testing::Test {
protected:
    std::unique_ptr<FileDisk> open() {
        auto disk = FileDisk::open(folder_ / "data");
        EXPECT_TRUE(disk) << (disk ? "" : disk.error().message);
        return disk ? std::move(*disk) : nullptr;
    }

    TemporaryFolder folder_;
};

TEST_F(FileDiskTest, WritesReadsRenamesAndRemoves) {
    const auto disk = open();
    ASSERT_TRUE(disk);
    {
        auto file = disk->create("a");
        ASSERT_TRUE(file && (*file)->append(bytes_of("abcdef")) && (*file)->sync());
    }
    ASSERT_TRUE((*disk->reopen("a", 3))->append(bytes_of("x")));
    ASSERT_TRUE(disk->rename("a", "b") && disk->sync_names());
    EXPECT_EQ(text_of(disk->read("b")->bytes()), "abcx");
    EXPECT_EQ(text_of(disk->map("b")->bytes()), "abcx");
    EXPECT_EQ(*disk->size("b"), 4u);
    EXPECT_EQ(disk->size("a").error().code, Code::not_found);
    EXPECT_THAT(*disk->list(), UnorderedElementsAre("b", "lock"));
    ASSERT_TRUE(disk->remove("b"));
    EXPECT_THAT(disk->read("b").error().message, HasSubstr("no such file"));
}

TEST_F(FileDiskTest, BelongsToOneProgramAtATime) {
    auto disk = open();
    const auto second = FileDisk::open(folder_ / "data");
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().code, Code::already_exists);
    EXPECT_THAT(second.error().message, HasSubstr("another program keeps its values"));
    disk.reset();
    EXPECT_TRUE(open());
}

TEST_F(FileDiskTest, ReportsWhatIsWrongWithTheDirectory) {
    std::ofstream(folder_ / "file") << "text";
    for (const auto& [name, why] : {std::pair("missing/data", "cannot make the directory"),
                                    {"file/data", "cannot make the directory"},
                                    {"file", "cannot open the directory"}}) {
        const auto disk = FileDisk::open(folder_ / name);
        ASSERT_FALSE(disk) << name;
        EXPECT_THAT(disk.error().message, HasSubstr(why));
        const auto checked = FileDisk::check(folder_ / name);
        ASSERT_FALSE(checked) << name;
        EXPECT_EQ(checked.error().message, disk.error().message);
    }
}

TEST_F(FileDiskTest, IsCheckedWithoutBeingCreated) {
    for (const char* name : {"data", "data/"}) EXPECT_TRUE(FileDisk::check(folder_ / name)) << name;
    EXPECT_FALSE(std::filesystem::exists(folder_ / "data"));
    const auto disk = open();
    EXPECT_TRUE(FileDisk::check(folder_ / "data"));
}

TEST_F(FileDiskTest, TellsOfADiskThatIsFull) {
    const auto disk = FileDisk::open(folder_ / "data");
    ASSERT_TRUE(disk);
    std::filesystem::create_symlink("/dev/full", folder_ / "data/full");
    auto file = (*disk)->create("full");
    ASSERT_TRUE(file);
    const auto written = (*file)->append(bytes_of("x"));
    ASSERT_FALSE(written);
    EXPECT_THAT(written.error().message, HasSubstr("no space left"));
}

}  // namespace
}  // namespace caribou
