#include "adapters/bus_files/journal_thread.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/log.hpp"
#include "bus/journal_files.hpp"
#include "platform/event_loop.hpp"
#include "platform/file_disk.hpp"
#include "platform/temporary_folder.hpp"
#include "wire/journal.hpp"

namespace caribou {
namespace {

using namespace std::chrono_literals;
using testing::UnorderedElementsAre;

TEST(JournalThread, WritesOnAThreadOfItsOwn) {
    const TemporaryFolder folder;
    const auto disk = FileDisk::open(folder / "data").value();
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
