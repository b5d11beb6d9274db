#include "robot/wiring.hpp"
#include <test_paths.hpp>

#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace caribou::robot {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::string_view encoders = R"(
[[sensor]]
name = "encoder_right"
kind = "encoder_right"
[[sensor]]
name = "encoder_left"
kind = "encoder_left"
)";

std::vector<std::string> faults_of(std::string_view text) {
    const auto wiring = read_wiring({"w.toml", std::string(text)});
    std::vector<std::string> lines;
    if (!wiring)
        for (const TextFault& fault : wiring.error()) lines.push_back(to_string(fault));
    return lines;
}

TEST(Wiring, OfTheExampleIsWhatItSays) {
    std::stringstream text;
    text << std::ifstream(tests::in_repository("examples/robots/rover.wiring.toml")).rdbuf();
    const auto wiring = read_wiring({"rover.wiring.toml", text.str()});
    ASSERT_TRUE(wiring) << to_string(wiring.error());
    EXPECT_EQ(wiring->enable_line, 17);
    EXPECT_EQ(wiring->guard_line, 25);
    EXPECT_EQ(wiring->emergency_line, 27);
    EXPECT_EQ(wiring->release_button, 5);
    EXPECT_EQ(wiring->power_off_button, 6);
    EXPECT_EQ(wiring->pwm_period, std::chrono::microseconds(50));
    EXPECT_THAT(gpio_outputs(*wiring), ElementsAre(17, 23, 24));
    EXPECT_THAT(gpio_inputs(*wiring), ElementsAre(22, 27));
    EXPECT_EQ(wiring->left, (MotorWiring{.pwm_channel = 1, .direction_line = 24, .reversed = true}));
    ASSERT_EQ(wiring->plan.sensors.size(), 5);
    EXPECT_EQ(wiring->plan.sensors[2],
              (motion::SensorPlan{"front", motion::SensorKind::range, {0.16, 0, 0}, 2, true, false}));
    EXPECT_DOUBLE_EQ(wiring->plan.wheel_base, 0.22);
}

TEST(Wiring, HasDefaultsForAllButTheSensors) {
    const auto wiring = read_wiring({"w.toml", std::string(encoders)});
    ASSERT_TRUE(wiring);
    EXPECT_EQ(wiring->gpio_chip, Wiring{}.gpio_chip);
    EXPECT_EQ(wiring->serial, Wiring{}.serial);
    EXPECT_THAT(faults_of(""), ElementsAre(HasSubstr("needs the sensors encoder_right and encoder_left")));
}

TEST(Wiring, HasALineOfItsOwnForEachButton) {
    EXPECT_THAT(faults_of("[gpio]\nemergency_stop = 7\nrelease_button = 7\npower_off_button = 2\n" +
                          std::string(encoders)),
                ElementsAre(HasSubstr("for gpio.emergency_stop and for gpio.release_button"),
                            HasSubstr("for gpio.enable and for gpio.power_off_button")));
}

TEST(Wiring, TellsEverythingThatIsWrongWithItsPlace) {
    const std::string text = R"([gpoi]
enable = 3
[serial]
port = "ttyACM0"
baud = 115201
[[sensor]]
name = "Front"
kind = "rage"
[[sensor]]
name = "front"
kind = "range"
required = 1
)";
    EXPECT_THAT(faults_of(text),
                ElementsAre("w.toml:1:2: a wiring has no `gpoi`; did you mean `gpio`?",
                            "w.toml:4:8: `port` is a path from /",
                            "w.toml:5:8: no serial port runs at 115201 baud; 115200 is usual",
                            "w.toml:7:8: a sensor's name has up to 20 small letters, digits and _",
                            "w.toml:8:8: no sensor on a serial line is a `rage`; did you mean `range`?",
                            HasSubstr("a range sensor needs its `reach`, in metres"),
                            "w.toml:12:12: `required` is true or false, not a number"));
}

TEST(Wiring, TakesNothingTwice) {
    EXPECT_THAT(faults_of("[gpio]\nenable = 4\nguard = 4\n" + std::string(encoders)),
                ElementsAre(HasSubstr("GPIO line 4 is wanted twice: for gpio.enable and for gpio.guard")));
    EXPECT_THAT(faults_of("[gpio]\nenable = 4\nfault = 4\n" + std::string(encoders)),
                ElementsAre(HasSubstr("GPIO line 4 is wanted twice: for gpio.enable and for gpio.fault")));
    EXPECT_THAT(faults_of("[motor.left]\nchannel = 0\n" + std::string(encoders)),
                ElementsAre(HasSubstr("both motors hang on channel 0 of /sys/class/pwm/pwmchip0")));
    EXPECT_THAT(
        faults_of(std::string(encoders) + "[[sensor]]\nname = \"encoder_left\"\nkind = \"encoder_left\"\n"),
        ElementsAre(HasSubstr("there are two sensors `encoder_left`"),
                    HasSubstr("`encoder_left` is the encoder_left already")));
    EXPECT_THAT(faults_of("[gpio]\nenable = 2.5\n" + std::string(encoders)),
                ElementsAre("w.toml:2:10: `enable` is a whole number"));
}

}  // namespace
}  // namespace caribou::robot
