#include "cubes/light_reader.hpp"
#include <test_paths.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace caribou::cubes {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> faults_of(std::string text) {
    const auto pattern = read_lights({"f.json", std::move(text)});
    std::vector<std::string> lines;
    if (!pattern)
        for (const TextFault& fault : pattern.error()) lines.push_back(to_string(fault));
    return lines;
}

TEST(LightReader, ReadsOneLedForAll) {
    const auto pattern = read_lights({"f", R"({"duration": "2s", "rotation": "clockwise", "leds":
        {"on_color": "#0102ff", "off_color": "red", "on_time": "1s", "off_time": "2s", "transition_on": "3s",
         "transition_off": "4s", "offset": "5s", "play_once": true, "note": "all keys"}})"});
    ASSERT_TRUE(pattern);
    EXPECT_EQ(pattern->duration, 2s);
    EXPECT_EQ(pattern->rotation, Rotation::clockwise);
    for (const LedPattern& led : pattern->leds)
        EXPECT_EQ(led, (LedPattern{{1, 2, 255}, {255, 0, 0}, 1s, 2s, 3s, 4s, 5s, true}));
}

TEST(LightReader, ReadsAListOfFourLeds) {
    const auto pattern = read_lights(
        {"f",
         R"({"leds": [{"on_color":"red"},{"on_color":"green"},{"on_color":"blue"},{"on_color":"black"}]})"});
    ASSERT_TRUE(pattern);
    EXPECT_EQ(colors_at(*compile(*pattern), 0s), (LedColors{{{255, 0, 0}, {0, 255, 0}, {0, 0, 255}, {}}}));
    EXPECT_FALSE(pattern->duration);
}

TEST(LightReader, TellsEveryFaultWithItsPlaceAndWhatInstead) {
    EXPECT_THAT(
        faults_of("{\"leds\": {\"on_color\": \"gren\",\n \"on_tme\": \"1s\", \"off_time\": \"soon\",\n"
                  " \"transition_on\": \"8s\", \"play_once\": 1},\n \"rotation\": \"clockwize\"}"),
        ElementsAre("f.json:1:23: no colour is called `gren`; did you mean `green`?",
                    "f.json:2:2: a LED has no `on_tme`; did you mean `on_time`?",
                    "f.json:2:30: `off_time` is a time such as \"500ms\" or \"1.5s\", not \"soon\"",
                    "f.json:3:19: `transition_on` takes at most 7650ms",
                    "f.json:3:38: `play_once` is true or false, not a number",
                    "f.json:4:14: no rotation is called `clockwize`; did you mean `clockwise`?"));
}

TEST(LightReader, RefusesWhatIsNoPattern) {
    EXPECT_THAT(faults_of("[]"), ElementsAre("f.json:1:1: a file of lights is an object, not a list"));
    EXPECT_THAT(faults_of("{}"),
                ElementsAre("f.json:1:1: `leds` is missing: an object for all LEDs, or a list of four"));
    EXPECT_THAT(faults_of(R"({"leds": [1]})"), ElementsAre("f.json:1:10: a cube has 4 LEDs, not 1"));
    EXPECT_THAT(faults_of(R"({"leds": {"on_color": "red", "on_color": "blue"}})"),
                ElementsAre("f.json:1:30: `on_color` is set twice"));
    EXPECT_THAT(faults_of(R"({"leds": {}})"), ElementsAre("f.json:1:10: `on_color` is missing"));
    EXPECT_THAT(faults_of("{\n"), ElementsAre(HasSubstr("f.json:2:1: malformed JSON")));
    EXPECT_THAT(faults_of(R"({"leds": {"on_color": "red", "on_time": "1h"}})"),
                ElementsAre(HasSubstr("limit keyframe_slots reached: 471 of at most 128 keyframes")));
}

TEST(LightReader, KnowsColors) {
    EXPECT_EQ(parse_color("#00Ff80"), (Color{0, 255, 128}));
    EXPECT_EQ(to_string(Color{0, 255, 128}), "#00ff80");
    for (const char* bad : {"", "#", "#12345", "#1234567", "#12345g", "rot"})
        EXPECT_FALSE(parse_color(bad)) << bad;
}

TEST(LightReader, ReadsTheExamples) {
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(tests::in_repository("examples/lights"))) {
        std::ifstream file(entry.path());
        const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
        EXPECT_TRUE(read_lights({entry.path().string(), text})) << entry.path();
        ++count;
    }
    EXPECT_GE(count, 3U);
}

}  // namespace
}  // namespace caribou::cubes
