#include "station/drive_answers.hpp"

#include <gtest/gtest.h>

namespace caribou::station {
namespace {

using namespace std::chrono_literals;

data::AnswerMessage answer_to(std::uint64_t id, std::optional<data::Refusal> refusal = {},
                              std::string text = {}) {
    data::AnswerMessage answer;
    answer.id = id;
    answer.final = true;
    answer.kind = refusal ? data::AnswerKind::refused : data::AnswerKind::done;
    answer.refusal = refusal;
    answer.text = std::move(text);
    return answer;
}

link::Command command(std::string_view text) { return link::command_from(text).value(); }

class DriveAnswersTest : public testing::Test {
protected:
    void answered(const char* text, std::optional<data::Refusal> refusal = {}, std::string why = {}) {
        answers.sent(++id, command(text));
        answers.take(answer_to(id, refusal, std::move(why)), Instant(1s));
    }

    DriveAnswers answers;
    std::uint64_t id = 0;
};

TEST_F(DriveAnswersTest, KeepsARefusalWhenTheHaltAfterItIsDone) {
    answered("move movement=MOVE_FW_2 ttl=400ms", data::Refusal::no_lease,
             "ann drives; take_lease takes over");
    answered("move movement=HALT");
    EXPECT_EQ(answers.latest(), "DONE");
    ASSERT_TRUE(answers.refused());
    EXPECT_EQ(answers.refused()->command, "MOVE_FW_2");
    EXPECT_EQ(answers.refused()->why, "NO_LEASE: ann drives; take_lease takes over");
    EXPECT_EQ(answers.refused()->at, Instant(1s));
    answered("move movement=MOVE_FW_2 ttl=400ms");
    EXPECT_FALSE(answers.refused());
}

TEST_F(DriveAnswersTest, SaysThatAStopIsNotConfirmedUntilItIsAnswered) {
    answered("move movement=MOVE_FW_2");
    EXPECT_EQ(answers.latest(), "DONE");
    answers.sent(++id, command("full_stop"));
    const std::uint64_t stop = id;
    EXPECT_EQ(answers.latest(), "full_stop was sent, and is NOT CONFIRMED yet");
    answered("move movement=HALT");
    EXPECT_EQ(answers.latest(), "full_stop was sent, and is NOT CONFIRMED yet");
    answers.take(answer_to(stop, {}, "stopped until released"), Instant(1s));
    EXPECT_EQ(answers.latest(), "DONE: stopped until released");
}

TEST_F(DriveAnswersTest, DropsARefusalWhenAnotherCommandIsDone) {
    answered("move movement=MOVE_FW_2", data::Refusal::no_lease);
    answered("take_lease");
    EXPECT_FALSE(answers.refused());
}

TEST_F(DriveAnswersTest, KeepsTheRefusalOfAStopUntilOneIsDoneOrReleased) {
    for (const char* const settles : {"full_stop", "release_stop"}) {
        answered("full_stop", data::Refusal::unavailable, "rover is not connected");
        answered("take_lease");
        answered("move movement=MOVE_FW_1");
        ASSERT_TRUE(answers.refused());
        EXPECT_EQ(answers.refused()->command, "full_stop");
        answered(settles);
        EXPECT_FALSE(answers.refused());
    }
}

TEST_F(DriveAnswersTest, ShowsAnswersThatItCannotAssign) {
    answers.take(answer_to(99, data::Refusal::busy, "x"), Instant(1s));
    EXPECT_EQ(answers.latest(), "BUSY: x");
    EXPECT_FALSE(answers.refused());
}

}  // namespace
}  // namespace caribou::station
