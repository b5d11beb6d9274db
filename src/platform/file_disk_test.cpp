#include "platform/file_disk.hpp"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "platform/journal_thread.hpp"
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

TEST_F(FileDiskTest, SaysWhatIsWrongWithTheDirectory) {
    const auto disk = FileDisk::open(folder_ / "missing/data");
    ASSERT_FALSE(disk);
    EXPECT_THAT(disk.error().message, HasSubstr("cannot make the directory"));
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

TEST_F(FileDiskTest, KeepsAJournalWrittenOnAThreadOfItsOwn) {
    const auto disk = open();
    EventLoop loop;
    NullLog log;
    bus::JournalFiles files(*disk);
    ASSERT_TRUE(files.open(log));
    wire::JournalBatch batch(0, wire::JournalSeal::sealed);
    Bytes message(54);
    store_le(message.data(), 54);
    batch.add({0, 1, 2, message});
    {
        JournalThread thread(loop, files, log);
        int done = 0;
        thread.perform({.chunk = batch.finish(), .begins_next = true, .finishes_next = true},
                       [&](const Result<void>& result) { done += result ? 1 : 0; });
        EXPECT_TRUE(loop.run_until([&] { return done == 1; }, 30s));
        // Steps in progress when the thread ends are completed.
        thread.perform({.batch = wire::JournalBatch(1).finish()}, [](const Result<void>&) {});
    }
    EXPECT_THAT(*disk->list(), UnorderedElementsAre("values-1.journal", "lock"));
    const auto image = disk->read("values-1.journal");
    const auto contents = wire::read_journal(image->bytes());
    EXPECT_EQ(contents->values.size(), 1u);
    EXPECT_EQ(contents->next_batch, 2u);
}

}  // namespace
}  // namespace caribou
