#include "devices/sensor_line.hpp"
#include <test_paths.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <limits>
#include <numeric>
#include <sstream>

#include <fmt/format.h>
#include <rapidcheck/gtest.h>

namespace caribou::devices {
namespace {

const motion::BodyPlan& plan() {
    static const motion::BodyPlan body{.sensors = {{"right", motion::SensorKind::encoder_right},
                                                   {"front", motion::SensorKind::range},
                                                   {"bumper", motion::SensorKind::bumper},
                                                   {"imu", motion::SensorKind::imu},
                                                   {"battery", motion::SensorKind::battery},
                                                   {"charger", motion::SensorKind::charger},
                                                   {"lidar", motion::SensorKind::lidar}}};
    return body;
}

Result<SensorLine> parse(std::string_view text) {
    std::string line = sensor_line(text);
    line.pop_back();
    return parse_sensor_line(line, plan());
}

motion::SensorReading reading(std::string_view text) { return parse(text).value().reading; }
std::string refusal(std::string_view text) { return parse(text).error().message; }

TEST(SensorLine, SaysWhatEachKindReads) {
    EXPECT_EQ(reading("right -1234567890123"), motion::SensorReading(std::int64_t{-1234567890123}));
    EXPECT_EQ(reading("front 352"), motion::SensorReading(0.352));
    EXPECT_EQ(reading("front -"), motion::SensorReading(std::numeric_limits<double>::infinity()));
    EXPECT_EQ(reading("bumper 1"), motion::SensorReading(true));
    EXPECT_EQ(reading("imu -250 980 12"), motion::SensorReading(motion::ImuReading{-0.25, 0.98, 0.012}));
    EXPECT_EQ(reading("battery 815 11800 -740"),
              motion::SensorReading(motion::BatteryReading{0.815, 11.8, -0.74}));
    EXPECT_EQ(reading("charger 1 2000"), motion::SensorReading(motion::ChargerReading{true, 2.0}));
    EXPECT_EQ(parse("imu 0 0 0")->sensor, 3U);
}

TEST(SensorLine, SaysWhatIsWrong) {
    EXPECT_EQ(refusal("side 1"), "there is no sensor `side`");
    EXPECT_EQ(refusal("front"), "`front` has 0 values instead of 1");
    EXPECT_EQ(refusal("front 1 2"), "`front` has 2 values instead of 1");
    EXPECT_EQ(refusal("front 1.5"), "`1.5` is not a whole number");
    EXPECT_EQ(refusal("front -3"), "a distance is below zero");
    EXPECT_EQ(refusal("lidar 1"), "`lidar` has 1 values instead of 0");
    EXPECT_EQ(refusal(""), "the line is empty");
    EXPECT_EQ(parse_sensor_line("front 352", plan()).error().message, "the line has no checksum");
    EXPECT_EQ(parse_sensor_line("front 352*00", plan()).error().message, "the checksum is wrong");
}

TEST(SensorLine, ReadsTheGoldenFile) {
    std::ifstream file(tests::in_repository("tests/golden/sensor-lines/board.txt"));
    ASSERT_TRUE(file) << "the golden file was not read";
    std::ostringstream text;
    text << file.rdbuf();
    std::vector<std::size_t> sensors;
    LineCutter cutter;
    cutter.feed(text.str(), [&](std::string_view line) {
        const auto parsed = parse_sensor_line(line, plan());
        ASSERT_TRUE(parsed) << line;
        sensors.push_back(parsed->sensor);
    });
    EXPECT_THAT(sensors, testing::ElementsAre(0, 1, 1, 2, 3, 4, 5));
}

RC_GTEST_PROP(LineCutter, FindsTheSameLinesHoweverTheBytesCome, (const std::string& bytes)) {
    std::vector<std::string> whole;
    std::vector<std::string> single;
    const std::string text = bytes + "\nfront 1*00\r\n" + std::string(500, 'x') + "\nend\n";
    LineCutter one;
    one.feed(text, [&](std::string_view line) { whole.emplace_back(line); });
    LineCutter other;
    for (const char c : text) other.feed({&c, 1}, [&](std::string_view line) { single.emplace_back(line); });
    RC_ASSERT(whole == single);
    RC_ASSERT(whole.back() == "end");
    RC_ASSERT(whole.at(whole.size() - 2) == "front 1*00");
}

}  // namespace
}  // namespace caribou::devices
