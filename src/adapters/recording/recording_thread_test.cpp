#include "adapters/recording/recording_thread.hpp"

#include <gtest/gtest.h>

#include "platform/temporary_folder.hpp"
#include "platform/text_file.hpp"

namespace caribou {
namespace {

TEST(RecordingThread, HasWrittenEverythingWhenItIsGone) {
    const TemporaryFolder folder;
    NullLog log;
    {
        const auto thread = RecordingThread::open(folder / "records", {}, log).value();
        for (std::uint64_t i = 0; i < 1000; ++i) {
            station::RecordingBatch batch{.name = "a", .number = i, .last = i == 999};
            if (i == 0) batch.messages.channels.push_back({"/rover/motion", "json", 0});
            batch.messages.add(0, i, bytes_of(std::to_string(i)));
            thread->write(std::move(batch));
        }
        EXPECT_EQ(thread->lost(), 0u);
    }
    const std::string file = read_text_file(folder / "records/a.mcap").value();
    auto reader = wire::McapReader::open(bytes_of(file)).value();
    for (std::uint64_t i = 0; i < 1000; ++i) {
        const auto message = reader.next();
        ASSERT_TRUE(message) << i;
        EXPECT_EQ(text_of(message->data), std::to_string(i));
    }
    EXPECT_FALSE(reader.next());
    EXPECT_TRUE(reader.complete());
}

TEST(RecordingThread, LosesBatchesBeyondTheLimitAndCountsThem) {
    const TemporaryFolder folder;
    NullLog log;
    const auto thread = RecordingThread::open(folder / "records", {}, log).value();
    station::RecordingBatch large{.name = "a"};
    large.messages.channels.push_back({"/rover/motion", "json", 0});
    large.lines.resize(RecordingThread::max_waiting + 1);
    thread->write(std::move(large));
    EXPECT_EQ(thread->lost(), 1u);
    EXPECT_EQ(thread->waiting(), 0u);
}

TEST(RecordingThread, RefusesAFolderThatAnotherProgramRecordsTo) {
    const TemporaryFolder folder;
    NullLog log;
    const auto first = RecordingThread::open(folder / "records", {}, log);
    ASSERT_TRUE(first);
    EXPECT_FALSE(RecordingThread::open(folder / "records", {}, log));
}

}  // namespace
}  // namespace caribou
