#include "adapters/robot_files/latch_file.hpp"

#include <sys/stat.h>

#include <filesystem>
#include <fstream>
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

TEST_F(LatchFileTest, StartsStoppedAfterAStopThatCouldNotBeStored) {
    const auto file = open(Missing::is_expected);
    // The drafts of the two writers cannot be created.
    for (const char* const draft : {".latch", ".latch_2"}) std::filesystem::create_directories(path + draft);
    EXPECT_FALSE(store(*file, {StopCause::operator_}));
    EXPECT_EQ(open()->stop_at_start(), StopCause::operator_) << "not released, as the old file said";
    EXPECT_FALSE(std::filesystem::exists(path));
    EXPECT_TRUE(log.mentions("the robot starts stopped: it was stopped by operator, which was not stored"));
}

TEST_F(LatchFileTest, StartsStoppedByAStopThatIsNotStored) {
    std::ignore = open(Missing::is_expected);
    EXPECT_EQ(motion::latch_record_from(text()), LatchRecord{});
    ASSERT_TRUE(PendingStop(path).write(StopCause::station));
    EXPECT_EQ(open()->stop_at_start(), StopCause::station);
    EXPECT_EQ(motion::latch_record_from(text()), LatchRecord{StopCause::station}) << "now it is stored";
    EXPECT_EQ(PendingStop(path).read(), std::nullopt);
}

TEST_F(LatchFileTest, KeepsAPendingStopWhileTheFileCannotBeWritten) {
    std::ignore = open(Missing::is_expected);
    for (const char* const draft : {".latch", ".latch_2"}) std::filesystem::create_directories(path + draft);
    ASSERT_TRUE(PendingStop(path).write(StopCause::bus));
    for (int start = 0; start < 2; ++start) {
        const auto file = open(Missing::is_expected);
        EXPECT_EQ(file->stop_at_start(), StopCause::bus);
        EXPECT_THAT(file->not_stored_at_start(), HasSubstr("was not written"));
    }
    EXPECT_FALSE(store(*open(), {})) << "the release cannot be stored";
    EXPECT_EQ(PendingStop(path).read(), std::nullopt) << "but it is one";
}

TEST_F(LatchFileTest, HasAPendingStopFromItsNoteUntilItIsStoredOrReleased) {
    const auto file = open(Missing::is_expected);
    file->note(StopCause::operator_);
    EXPECT_EQ(PendingStop(path).read(), StopCause::operator_);
    EXPECT_TRUE(store(*file, {StopCause::operator_}));
    EXPECT_EQ(PendingStop(path).read(), std::nullopt);
    file->note(StopCause::station);
    EXPECT_TRUE(store(*file, {}));
    EXPECT_EQ(PendingStop(path).read(), std::nullopt);
}

TEST_F(LatchFileTest, HasAPendingStopWhateverAnotherAccountHasPutInItsPlace) {
    const std::string place = PendingStop(path).path();
    std::filesystem::create_symlink("/dev/null", place);
    EXPECT_TRUE(PendingStop(path).write(StopCause::operator_));
    EXPECT_TRUE(PendingStop(path).write(StopCause::station)) << "replaces the former";
    EXPECT_EQ(PendingStop(path).read(), StopCause::station);
    EXPECT_TRUE(PendingStop(path).clear());
    EXPECT_EQ(PendingStop(path).read(), std::nullopt);
    EXPECT_TRUE(std::filesystem::remove(place)) << "it is not the robot's, and stays";
}

TEST_F(LatchFileTest, HasNoPendingStopForASecondStopWhileTheFirstIsStored) {
    {
        const auto file = open(Missing::is_expected);
        EXPECT_TRUE(store(*file, {StopCause::operator_}));
        file->note(StopCause::station);
        EXPECT_EQ(PendingStop(path).read(), std::nullopt);
        EXPECT_TRUE(store(*file, {}));
        file->note(StopCause::station);
        EXPECT_EQ(PendingStop(path).read(), StopCause::station) << "after a release it is a new one";
        EXPECT_TRUE(store(*file, {StopCause::station}));
    }
    const auto again = open();
    ASSERT_EQ(again->stop_at_start(), StopCause::station);
    again->note(StopCause::bus);
    EXPECT_EQ(PendingStop(path).read(), std::nullopt) << "nor after a start with a stored stop";
}

TEST_F(LatchFileTest, StartsStoppedIfItsFolderCannotBeMade) {
    path = "/proc/nowhere/rover.latch";
    const auto file = open(Missing::is_expected);
    EXPECT_EQ(file->stop_at_start(), StopCause::state_lost);
    EXPECT_THAT(file->not_stored_at_start(), HasSubstr("was not written"));
}

TEST_F(LatchFileTest, TakesADamagedPendingStopForAStop) {
    ASSERT_TRUE(write_text_file(PendingStop(path).path() + "-1", "version = 1\nstop"));
    EXPECT_EQ(PendingStop(path).read(), StopCause::state_lost);
    EXPECT_TRUE(PendingStop(path).clear());
    EXPECT_EQ(PendingStop(path).read(), std::nullopt);
}

TEST_F(LatchFileTest, IsStoppedByAnotherProcess) {
    std::ignore = open(Missing::is_expected);
    EXPECT_TRUE(store_stop(path, StopCause::thread_silent));
    EXPECT_EQ(open()->stop_at_start(), StopCause::thread_silent);
    std::filesystem::create_directories(path + ".guard");
    std::filesystem::remove(path);
    EXPECT_FALSE(store_stop(path, StopCause::thread_silent));
    EXPECT_EQ(open(Missing::is_expected)->stop_at_start(), StopCause::thread_silent);
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

TEST_F(LatchFileTest, LogsHowToReleaseALostStateAtEachStart) {
    EXPECT_EQ(open(Missing::is_lost)->stop_at_start(), StopCause::state_lost);
    EXPECT_TRUE(log.mentions("is missing"));
    EXPECT_FALSE(log.mentions("it was stopped by"));
    EXPECT_EQ(open(Missing::is_lost)->stop_at_start(), StopCause::state_lost);
    EXPECT_TRUE(log.mentions("the robot starts stopped: it was stopped by state_lost"));
}

TEST_F(LatchFileTest, StartsStoppedIfItsFileIsALink) {
    std::filesystem::create_directories(folder / "state");
    std::ofstream(folder / "elsewhere") << motion::file_text_of({});
    std::filesystem::create_symlink(folder / "elsewhere", path);
    EXPECT_EQ(open(Missing::is_expected)->stop_at_start(), StopCause::state_lost);
    EXPECT_EQ(motion::latch_record_from(text()), LatchRecord{StopCause::state_lost}) << "it is replaced";
    EXPECT_FALSE(std::filesystem::is_symlink(path));
}

TEST_F(LatchFileTest, StartsStoppedWithoutWaitingForThePipeThatReplacesItsFile) {
    std::filesystem::create_directories(folder / "state");
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
    EXPECT_EQ(open(Missing::is_expected)->stop_at_start(), StopCause::state_lost);
    EXPECT_TRUE(log.mentions("is not a regular file"));
    EXPECT_EQ(motion::latch_record_from(text()), LatchRecord{StopCause::state_lost}) << "it is replaced";
}

TEST_F(LatchFileTest, StartsStoppedAndReplacesAFileThatIsMalformed) {
    std::filesystem::create_directories(folder / "state");
    for (const char* const damaged : {"", "version = 1\nstopped = ", "\xff\xfe", "version = 1\n",
                                      "version = 1\nstopped = false\ncause = \"station\"\n"}) {
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
