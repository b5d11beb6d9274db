#include "loop/memory_disk.hpp"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

namespace caribou {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::string content(MemoryDisk& disk, const std::string& name) {
    const auto image = disk.read(name);
    return image ? std::string(text_of(image->bytes())) : image.error().message;
}

TEST(MemoryDisk, KeepsWhatWasSyncedThroughAPowerCut) {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        MemoryDisk disk;
        Random random(seed);
        auto file = disk.create("a");
        ASSERT_TRUE((*file)->append(bytes_of("safe")));
        ASSERT_TRUE((*file)->sync());
        ASSERT_TRUE(disk.sync_names());
        ASSERT_TRUE((*file)->append(bytes_of("perhaps")));
        disk.cut_power(random);
        EXPECT_TRUE(content(disk, "a").starts_with("safe"));
        EXPECT_LE(content(disk, "a").size(), std::string("safeperhaps").size());
    }
}

TEST(MemoryDisk, ForgetsANameThatWasNotSynced) {
    bool lost = false;
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        MemoryDisk disk;
        Random random(seed);
        ASSERT_TRUE(disk.create("a"));
        disk.cut_power(random);
        lost = lost || disk.list()->empty();
    }
    EXPECT_TRUE(lost);
}

TEST(MemoryDisk, StoresWhatFits) {
    MemoryDisk disk;
    disk.set_capacity(3);
    auto file = disk.create("a");
    EXPECT_FALSE((*file)->append(bytes_of("abcdef")));
    EXPECT_EQ(content(disk, "a"), "abc");
    ASSERT_TRUE(disk.remove("a"));
    EXPECT_THAT(*disk.list(), IsEmpty());
}

TEST(MemoryDisk, ReopensBehindTheBytesThatAreToStay) {
    MemoryDisk disk;
    ASSERT_TRUE((*disk.create("a"))->append(bytes_of("abcdef")));
    ASSERT_TRUE((*disk.reopen("a", 2))->append(bytes_of("x")));
    EXPECT_EQ(content(disk, "a"), "abx");
    ASSERT_TRUE(disk.rename("a", "b"));
    EXPECT_THAT(*disk.list(), ElementsAre("b"));
    EXPECT_FALSE(disk.reopen("a", 0));
}

TEST(MemoryDisk, FailsAfterSoManyChanges) {
    MemoryDisk disk;
    disk.fail_after(1);
    auto file = disk.create("a");
    ASSERT_TRUE(file);
    EXPECT_FALSE((*file)->append(bytes_of("abcd")));
    EXPECT_EQ(content(disk, "a"), "ab");
    EXPECT_FALSE(disk.sync_names());
}

}  // namespace
}  // namespace caribou
