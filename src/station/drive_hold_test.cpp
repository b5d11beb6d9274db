#include "station/drive_hold.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace caribou::station {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

class DriveHoldTest : public testing::Test {
protected:
    /// Returns the commands sent while the time passes, with their times.
    std::vector<std::string> pass(Duration time) {
        std::vector<std::string> sent;
        for (const Instant end = now + time; now < end; now += 10ms)
            if (const auto command = hold.due(now)) {
                EXPECT_FALSE(link::objection_to(*command));
                sent.push_back(command->text("movement"));
            }
        return sent;
    }
    void press(std::string_view movement) {
        hold.press(motion::MovementCommand::parse(movement).value(), now);
    }

    DriveHold hold;
    Instant now{};
};

TEST_F(DriveHoldTest, RenewsWhileAKeyRepeats) {
    press("MOVE_FW_2");
    EXPECT_THAT(pass(500ms), ElementsAre("MOVE_FW_2", "MOVE_FW_2", "MOVE_FW_2", "MOVE_FW_2"));
    for (int i = 0; i < 20; ++i) {
        press("MOVE_FW_2");
        for (const std::string& sent : pass(40ms)) EXPECT_EQ(sent, "MOVE_FW_2");
    }
    EXPECT_TRUE(hold.held());
}

TEST_F(DriveHoldTest, HaltsOnceWhenTheRepetitionsEnd) {
    press("MOVE_FW_2");
    pass(690ms);
    EXPECT_THAT(pass(1s), ElementsAre("HALT"));
    EXPECT_THAT(pass(1s), IsEmpty());
}

TEST_F(DriveHoldTest, HaltsAtOnceWhenItIsLetGo) {
    press("MOVE_FW_2");
    pass(10ms);
    hold.let_go();
    EXPECT_THAT(pass(1s), ElementsAre("HALT"));
}

TEST_F(DriveHoldTest, ChangesAtOnceToAnotherKey) {
    press("MOVE_FW_2");
    pass(10ms);
    press("SWIV_LEFT_1");
    EXPECT_THAT(pass(10ms), ElementsAre("SWIV_LEFT_1"));
}

TEST_F(DriveHoldTest, SendsNothingThatOutlivesItsRenewal) {
    const DriveHold::Settings settings;
    EXPECT_GT(settings.life, 2 * settings.every);
    EXPECT_LE(settings.life, 500ms);  // ttl of the robot's own dead man's switch
}

TEST_F(DriveHoldTest, IgnoresAKeyThatIsStillHeldAfterAnInterruption) {
    press("MOVE_FW_2");
    pass(300ms);
    hold.interrupt(now);
    EXPECT_THAT(pass(10ms), ElementsAre("HALT"));
    for (int i = 0; i < 50; ++i) {  // the terminal repeats the key
        press("MOVE_FW_2");
        EXPECT_THAT(pass(40ms), IsEmpty());
        EXPECT_TRUE(hold.is_interrupted(now));
    }
    pass(700ms);
    EXPECT_FALSE(hold.is_interrupted(now));
    press("MOVE_FW_2");
    EXPECT_THAT(pass(10ms), ElementsAre("MOVE_FW_2"));
}

TEST_F(DriveHoldTest, ObeysAnotherKeyAfterAnInterruption) {
    press("MOVE_FW_2");
    pass(300ms);
    hold.interrupt(now);
    pass(10ms);
    press("MOVE_BW_2");
    EXPECT_THAT(pass(10ms), ElementsAre("MOVE_BW_2"));
}

TEST_F(DriveHoldTest, IgnoresAnInterruptionWithoutAHeldKey) {
    hold.interrupt(now);
    EXPECT_THAT(pass(100ms), IsEmpty());
    press("MOVE_FW_2");
    EXPECT_THAT(pass(10ms), ElementsAre("MOVE_FW_2"));
}

}  // namespace
}  // namespace caribou::station
