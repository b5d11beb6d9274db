#include "platform/recording_thread.hpp"

#include <gtest/gtest.h>

#include "platform/temporary_folder.hpp"
#include "platform/text_file.hpp"

namespace caribou {
namespace {

TEST(RecordingThread, HasWrittenEverythingWhenItIsGone) {
    const TemporaryFolder folder;
    NullLog log;
    std::string all;
    {
        const auto thread = RecordingThread::open(folder / "records", 64_MiB, log).value();
        for (int i = 0; i < 1000; ++i) {
            const std::string text = std::to_string(i) + "\n";
            const ByteView bytes = bytes_of(text);
            thread->write({"a.mcap", all.size(), Bytes(bytes.begin(), bytes.end()), i == 999});
            all += text;
        }
        EXPECT_EQ(thread->lost(), 0u);
    }
    EXPECT_EQ(read_text_file(folder / "records/a.mcap").value(), all);
}

TEST(RecordingThread, RefusesAFolderThatAnotherProgramRecordsTo) {
    const TemporaryFolder folder;
    NullLog log;
    const auto first = RecordingThread::open(folder / "records", 64_MiB, log);
    ASSERT_TRUE(first);
    EXPECT_FALSE(RecordingThread::open(folder / "records", 64_MiB, log));
}

}  // namespace
}  // namespace caribou
