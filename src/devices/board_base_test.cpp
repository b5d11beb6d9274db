#include "devices/board_base.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace caribou::devices {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

class BoardBaseTest : public testing::Test, public DevicePort {
protected:
    void write(ByteView bytes) override {
        lines.feed(text_of(bytes), [this](std::string_view line) { heard.emplace_back(line); });
    }
    void set_lines(bool, bool) override {}
    void set_baud(int) override {}
    void discard_input() override {}

    void say(std::string_view text) { base.on_bytes(bytes_of(sensor_line(text)), now); }
    void start() {
        base.begin(now);
        say("board rover 250");
        say("encoder_right 10");
        say("encoder_left -4");
        ASSERT_TRUE(base.is_ready());
        heard.clear();
    }
    static std::string checked(std::string_view text) {
        std::string line = sensor_line(text);
        line.pop_back();
        return line;
    }

    LineCutter lines;
    std::vector<std::string> heard;
    MemoryLog log;
    Instant now{1s};
    BoardBase base{
        {.sensors = {{.name = "encoder_right", .kind = motion::SensorKind::encoder_right, .required = true},
                     {.name = "encoder_left", .kind = motion::SensorKind::encoder_left, .required = true},
                     {.name = "bumper_front", .kind = motion::SensorKind::bumper}}},
        *this,
        log};
};

TEST_F(BoardBaseTest, IsReadyWhenTheBoardHasSaidHowItStopsAndWhatIsRequired) {
    base.begin(now);
    EXPECT_THAT(heard, ElementsAre(checked("hello")));
    base.tick(now += 600ms);
    EXPECT_EQ(heard.size(), 2U) << "it asks again";
    say("encoder_right 10");
    say("encoder_left -4");
    EXPECT_FALSE(base.is_ready());
    say("board rover 250");
    EXPECT_TRUE(base.is_ready());
    EXPECT_EQ(base.stops_without_feed_ms(), 250);
    EXPECT_EQ(std::get<std::int64_t>(base.read(1)), -4);
}

TEST_F(BoardBaseTest, OrdersInMillimetersPerSecondAndStopsWithDisabledMotors) {
    start();
    base.drive({.right = 0.1, .left = 0.1});
    base.enable(true);
    base.drive({.right = 0.1999, .left = -0.25});
    base.enable(false);
    EXPECT_THAT(heard, ElementsAre(checked("stop"), checked("drive 0 0"), checked("drive -250 199"),
                                   checked("stop")));
}

TEST_F(BoardBaseTest, HasNoReadingThatIsTooOldOrDamaged) {
    start();
    base.on_bytes(bytes_of("bumper_front 1*00\n"), now);
    EXPECT_TRUE(std::holds_alternative<motion::NoReading>(base.read(2)));
    say("bumper_front 1");
    EXPECT_TRUE(std::get<bool>(base.read(2)));
    base.tick(now += 300ms);
    EXPECT_TRUE(std::holds_alternative<motion::NoReading>(base.read(2)));
}

TEST_F(BoardBaseTest, IsLostWhenTheBoardFallsSilent) {
    start();
    base.tick(now += 400ms);
    EXPECT_EQ(base.trouble(), "");
    base.tick(now += 200ms);
    EXPECT_EQ(base.trouble(), "the board is silent for more than 500 ms");
}

TEST_F(BoardBaseTest, IsLostWhenTheBoardStartsAnew) {
    start();
    say("board rover 250");
    EXPECT_EQ(base.trouble(), "") << "it answers twice at the beginning";
    now += 2s;
    say("board rover 250");
    EXPECT_EQ(base.trouble(), "the board has started anew");
}

TEST_F(BoardBaseTest, RefusesABoardThatTurnsOnForTooLong) {
    base.begin(now);
    say("encoder_right 10");
    say("encoder_left -4");
    say("board rover 5000");
    EXPECT_FALSE(base.is_ready());
    EXPECT_TRUE(log.mentions("expected 0 to 1000 ms"));
}

}  // namespace
}  // namespace caribou::devices
