#include "motion/stop_latch.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "loop/virtual_loop.hpp"

namespace caribou::motion {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

class StopLatchTest : public testing::Test {
protected:
    StopLatch::Told note(const std::string& what) {
        return [this, what](const StopLatch::Outcome& outcome) {
            told.push_back(what + (outcome.in_effect ? "" : " not in effect") +
                           (outcome.not_stored.empty() ? "" : ": " + outcome.not_stored));
        };
    }

    VirtualLoop loop;
    LocalStrand strand{loop};
    MemoryLatchStore store;
    std::vector<std::string> told;
    std::vector<std::string> outcomes;
    StopLatch latch{strand, store, [this](const std::string& why) { outcomes.push_back(why); }};
};

TEST_F(StopLatchTest, AcknowledgesAStopThatIsInEffectAndStored) {
    latch.stop(StopCause::operator_, note("stop"));
    loop.run_ready();
    EXPECT_EQ(store.kept.stop, StopCause::operator_);
    EXPECT_THAT(told, IsEmpty()) << "propulsion has not confirmed it";
    latch.on_motion(StopCause::operator_);
    EXPECT_THAT(told, ElementsAre("stop"));
}

TEST_F(StopLatchTest, AcknowledgesAfterASecondThatTheLatchIsNotStored) {
    store.hangs = true;
    latch.stop(StopCause::station, note("stop"));
    latch.on_motion(StopCause::station);
    loop.advance(999ms);
    EXPECT_THAT(told, IsEmpty());
    loop.advance(1ms);
    EXPECT_THAT(told, ElementsAre("stop: storing it takes longer than one second"));
    EXPECT_THAT(outcomes, ElementsAre("storing it takes longer than one second"));
}

TEST_F(StopLatchTest, AcknowledgesAtOnceWhyTheLatchCannotBeStoredAndTriesAgainWithTheNextStop) {
    store.is_full = true;
    latch.stop(StopCause::operator_, note("stop"));
    latch.on_motion(StopCause::operator_);
    loop.run_ready();
    EXPECT_THAT(told, ElementsAre("stop: no space left on the disk"));
    store.is_full = false;
    latch.stop(StopCause::operator_, note("again"));
    loop.run_ready();
    EXPECT_EQ(store.kept.stop, StopCause::operator_);
    EXPECT_THAT(told, ElementsAre("stop: no space left on the disk", "again"));
    EXPECT_THAT(outcomes, ElementsAre("no space left on the disk", ""));
}

TEST_F(StopLatchTest, StoresAStopAsSoonAsTheDiskAcceptsIt) {
    store.is_full = true;
    latch.stop(StopCause::operator_, note("stop"));
    latch.on_motion(StopCause::operator_);
    loop.advance(12s);
    EXPECT_EQ(store.kept.stop, std::nullopt);
    store.is_full = false;
    loop.advance(StopLatch::retry_after);
    EXPECT_EQ(store.kept.stop, StopCause::operator_);
    EXPECT_EQ(outcomes.back(), "") << "the fault ends";
    const std::size_t calls = outcomes.size();
    loop.advance(1min);
    EXPECT_EQ(outcomes.size(), calls) << "and nothing more is written";
}

TEST_F(StopLatchTest, AnswersAllAtTheEndOfTheProgram) {
    store.hangs = true;
    latch.stop(StopCause::station, note("stop"));
    latch.on_motion(StopCause::station);
    EXPECT_THAT(told, IsEmpty());
    latch.finish();
    ASSERT_EQ(told.size(), 1U);
    EXPECT_EQ(told.front().find("stop: "), 0U) << "not stored: " << told.front();
}

TEST_F(StopLatchTest, ReportsAStopThatPropulsionDoesNotConfirm) {
    latch.stop(StopCause::operator_, note("stop"));
    loop.advance(1s);
    EXPECT_THAT(told, ElementsAre("stop not in effect"));
    EXPECT_EQ(store.kept.stop, StopCause::operator_) << "stored all the same";
}

TEST_F(StopLatchTest, StoresStopsThatNoCommandRequestedButNotTheEndOfTheProgram) {
    latch.on_motion(StopCause::shutdown);
    loop.run_ready();
    EXPECT_EQ(store.kept.stop, std::nullopt);
    latch.on_motion(StopCause::emergency_input);
    loop.run_ready();
    EXPECT_EQ(store.kept.stop, StopCause::emergency_input);
}

TEST_F(StopLatchTest, StoresAReleaseOnlyWhenPropulsionIsReleased) {
    latch.on_motion(StopCause::emergency_input);
    latch.release(note("release"));
    loop.advance(1s);
    EXPECT_THAT(told, ElementsAre("release not in effect"));
    EXPECT_EQ(store.kept.stop, StopCause::emergency_input);
    latch.on_motion(std::nullopt);
    loop.run_ready();
    EXPECT_EQ(store.kept.stop, std::nullopt);
}

TEST_F(StopLatchTest, KeepsAStopThatOvertakesTheNewsOfARelease) {
    latch.on_motion(StopCause::operator_);
    latch.release(note("release"));
    latch.stop(StopCause::station, note("stop"));
    loop.run_ready();
    store.hangs = true;
    latch.on_motion(std::nullopt);
    loop.run_ready();
    EXPECT_NE(store.kept.stop, std::nullopt) << "not even for a moment";
    latch.on_motion(StopCause::station);
    loop.run_ready();
    EXPECT_THAT(told, testing::Contains("stop"));
}

TEST(LatchRecord, IsWrittenAndReadBack) {
    for (const LatchRecord& record :
         {LatchRecord{}, LatchRecord{StopCause::operator_}, LatchRecord{StopCause::state_lost}})
        EXPECT_EQ(latch_record_from(file_text_of(record)), record);
    EXPECT_EQ(file_text_of({StopCause::station}),
              "# Written by `caribou robot`: whether it is stopped until a person releases it.\n"
              "version = 1\nstopped = true\ncause = \"station\"\n");
}

TEST(LatchRecord, TakesAnUnknownCauseForAStopAndRefusesNewerVersions) {
    EXPECT_EQ(latch_record_from("version = 1\nstopped = true\ncause = \"gremlin\"\n").value().stop,
              StopCause::state_lost);
    const auto newer = latch_record_from("version = 2\nstopped = false\n");
    ASSERT_FALSE(newer);
    EXPECT_EQ(newer.error().code, Code::refused);
    for (const char* const text : {"", "version = 1\n", "stopped = false\n", "version = \"1\"\n", "\xff", "x",
                                   "version = 0\nstopped = false\n", "version = nan\nstopped = false\n",
                                   "version = 1\nstopped = \"false\"\n"}) {
        const auto record = latch_record_from(text);
        ASSERT_FALSE(record) << text;
        EXPECT_EQ(record.error().code, Code::malformed) << text;
    }
}

}  // namespace
}  // namespace caribou::motion
