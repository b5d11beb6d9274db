#include "platform/latch_file.hpp"

#include <filesystem>
#include <future>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "platform/temporary_folder.hpp"
#include "platform/text_file.hpp"

namespace caribou {
namespace {

using motion::LatchRecord;
using motion::StopCause;
using testing::HasSubstr;
using Missing = LatchFile::Missing;

class LatchFileTest : public testing::Test {
protected:
    std::unique_ptr<LatchFile> open(Missing missing = Missing::is_lost) {
        return LatchFile::open(path, missing, log);
    }
    /// Stores a record and waits for the outcome.
    static Result<void> store(LatchFile& file, const LatchRecord& record) {
        std::promise<Result<void>> outcome;
        file.store(record, [&](const Result<void>& stored) { outcome.set_value(stored); });
        return outcome.get_future().get();
    }
    std::string text() const { return read_text_file(path).value_or("unreadable"); }

    TemporaryFolder folder;
    std::string path = folder / "state" / "rover.latch";
    MemoryLog log;
};

TEST_F(LatchFileTest, StartsStoppedIfTheFileIsMissingUnlessThatIsExpected) {
    EXPECT_EQ(open()->stop_at_start(), StopCause::state_lost);
    EXPECT_EQ(motion::latch_record_from(text()), LatchRecord{StopCause::state_lost})
        << "it is stored: a second start is stopped, too";
    EXPECT_EQ(open(Missing::is_expected)->stop_at_start(), StopCause::state_lost);
    std::filesystem::remove(path);
    EXPECT_EQ(open(Missing::is_expected)->stop_at_start(), std::nullopt);
    EXPECT_EQ(motion::latch_record_from(text()), LatchRecord{});
}

TEST_F(LatchFileTest, KeepsWhatWasStored) {
    {
        const auto file = open(Missing::is_expected);
        EXPECT_TRUE(store(*file, {StopCause::station}));
        EXPECT_EQ(motion::latch_record_from(text()), LatchRecord{StopCause::station});
    }
    EXPECT_EQ(open()->stop_at_start(), StopCause::station);
    EXPECT_TRUE(log.mentions("it was stopped by station"));
    EXPECT_TRUE(store(*open(), {}));
    EXPECT_EQ(open()->stop_at_start(), std::nullopt);
}

TEST_F(LatchFileTest, CompletesPendingWritesAtItsEnd) {
    {
        const auto file = open(Missing::is_expected);
        for (int i = 0; i < 100; ++i) file->store({StopCause::operator_}, [](const Result<void>&) {});
    }
    EXPECT_EQ(open()->stop_at_start(), StopCause::operator_);
}

TEST_F(LatchFileTest, StartsStoppedAndReplacesAFileThatIsMalformed) {
    std::filesystem::create_directories(folder / "state");
    for (const char* const damaged : {"", "version = 1\nstopped = ", "\xff\xfe", "version = 1\n"}) {
        std::ignore = folder.write("state/rover.latch", damaged);
        EXPECT_EQ(open(Missing::is_expected)->stop_at_start(), StopCause::state_lost) << damaged;
        EXPECT_EQ(motion::latch_record_from(text()), LatchRecord{StopCause::state_lost}) << damaged;
    }
}

TEST_F(LatchFileTest, StartsStoppedAndKeepsAFileOfANewerVersion) {
    std::filesystem::create_directories(folder / "state");
    const std::string newer = "version = 2\nstopped = false\n";
    std::ignore = folder.write("state/rover.latch", newer);
    const auto file = open();
    EXPECT_EQ(file->stop_at_start(), StopCause::state_lost);
    EXPECT_THAT(file->not_stored_at_start(), HasSubstr("its version is 2"));
    const auto stored = store(*file, {});
    ASSERT_FALSE(stored);
    EXPECT_THAT(stored.error().message, HasSubstr("its version is 2"));
    EXPECT_EQ(text(), newer);
}

TEST_F(LatchFileTest, StartsStoppedIfTheFileCannotBeReadOrWritten) {
    std::filesystem::create_directories(path);  // a folder in its place
    const auto file = open();
    EXPECT_EQ(file->stop_at_start(), StopCause::state_lost);
    EXPECT_NE(file->not_stored_at_start(), "");
    EXPECT_FALSE(store(*file, {StopCause::operator_}));
}

}  // namespace
}  // namespace caribou
