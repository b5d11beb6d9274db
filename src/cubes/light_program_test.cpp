#include "cubes/light_program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "cubes/light_pattern.hpp"
#include "cubes/simulated_cube.hpp"

namespace caribou::cubes {
namespace {

using namespace std::chrono_literals;

constexpr Color red{200, 0, 0};
constexpr Color black{};

LightPattern one_led(const LedPattern& led) {
    LightPattern pattern;
    pattern.leds[0] = led;
    return pattern;
}

Color first_at(const LightPattern& pattern, Duration since) { return colors_at(*compile(pattern), since)[0]; }

TEST(LightPattern, BlinksInItsTimes) {
    const LightPattern pattern = one_led({.on_color = red, .on_time = 300ms, .off_time = 600ms});
    for (const Duration round : {Duration(0s), Duration(900ms), Duration(900ms * 1'000'000)}) {
        EXPECT_EQ(first_at(pattern, round), red);
        EXPECT_EQ(first_at(pattern, round + 299ms), red);
        EXPECT_EQ(first_at(pattern, round + 300ms), black);
        EXPECT_EQ(first_at(pattern, round + 899ms), black);
    }
}

TEST(LightPattern, FadesLinearly) {
    const LightPattern pattern =
        one_led({.on_color = red, .on_time = 30ms, .off_time = 30ms, .transition_off = 300ms});
    EXPECT_EQ(first_at(pattern, 30ms), red);
    EXPECT_EQ(first_at(pattern, 30ms + 150ms), (Color{100, 0, 0}));
    EXPECT_EQ(first_at(pattern, 30ms + 270ms), (Color{20, 0, 0}));
    EXPECT_EQ(first_at(pattern, 330ms), black);
}

TEST(LightPattern, StaysOnWithoutTimes) {
    EXPECT_EQ(first_at(one_led({.on_color = red}), 0s), red);
    EXPECT_EQ(first_at(one_led({.on_color = red}), 24h), red);
    EXPECT_EQ(compile(steady(red))->keyframes.size(), 1U) << "equal LEDs share their keyframes";
}

TEST(LightPattern, WaitsForItsOffset) {
    const LightPattern pattern = one_led({.on_color = red, .on_time = 60ms, .off_time = 60ms, .offset = 9s});
    EXPECT_EQ(first_at(pattern, 8999ms), black);
    EXPECT_EQ(first_at(pattern, 9s), red) << "also when it is longer than a keyframe can hold";
    EXPECT_EQ(first_at(pattern, 9s + 120ms), red);
}

TEST(LightPattern, PlaysOnceAndStaysOff) {
    const LightPattern pattern =
        one_led({.on_color = red, .off_color = {1, 1, 1}, .on_time = 300ms, .play_once = true});
    EXPECT_EQ(first_at(pattern, 299ms), red);
    EXPECT_EQ(first_at(pattern, 300ms), (Color{1, 1, 1}));
    EXPECT_EQ(first_at(pattern, 24h), (Color{1, 1, 1}));
}

TEST(LightPattern, RunsRoundTheCube) {
    LightPattern pattern{.rotation = Rotation::clockwise};
    pattern.leds.fill({.on_color = red, .on_time = 300ms, .off_time = 900ms});
    const auto lit = [&](Duration since) {
        std::string leds;
        for (const Color color : colors_at(*compile(pattern), since)) leds += color == red ? '*' : '.';
        return leds;
    };
    EXPECT_EQ(lit(0s) + lit(300ms) + lit(600ms) + lit(900ms) + lit(1200ms), "*....*....*....**...");
    pattern.rotation = Rotation::counterclockwise;
    EXPECT_EQ(lit(0s) + lit(300ms) + lit(600ms) + lit(900ms), "*......*..*..*..");
}

TEST(LightPattern, IsRefusedWhenACubeCannotHoldIt) {
    EXPECT_EQ(compile(one_led({.on_color = red, .transition_on = max_transition + 1ms})).error().code,
              Code::limit_exceeded);
    EXPECT_EQ(compile(one_led({.on_color = red, .on_time = 1h})).error().code, Code::limit_exceeded);
}

TEST(LightPattern, TakesFiveSecondsForConnectionAndDisconnect) {
    EXPECT_EQ(connection_light_pattern().duration, 5s);
    EXPECT_EQ(disconnect_light_pattern().duration, 5s);
    EXPECT_EQ(colors_at(*compile(disconnect_light_pattern()), 5s), LedColors{});
}

TEST(LightProgram, EndsDarkWhereAKeyframeIsMissing) {
    EXPECT_EQ(colors_at({}, 1s), LedColors{});
    LightProgram program{.keyframes = {{9, 9, 9, 1, 0, 200}}, .start = {0, 1, 2, 3}};
    EXPECT_EQ(colors_at(program, 0s)[0], (Color{9, 9, 9}));
    EXPECT_EQ(colors_at(program, 30ms)[0], black);
}

/// Compares the renderer, which skips rounds, with a simple frame-by-frame simulation.
RC_GTEST_PROP(LightProgram, PlaysAsACubeWouldStepByStep, ()) {
    const auto small = rc::gen::inRange<int>(0, 5);
    LightProgram program;
    const int count = *rc::gen::inRange(1, 6);
    for (int i = 0; i < count; ++i)
        program.keyframes.push_back({static_cast<std::uint8_t>(i * 10), 0, 0,
                                     static_cast<std::uint8_t>(*small), static_cast<std::uint8_t>(*small),
                                     static_cast<std::uint8_t>(*rc::gen::inRange(0, count))});
    std::size_t index = 0;
    int within = 0;
    for (int frame = 0; frame < 200; ++frame) {
        const Keyframe* k = &program.keyframes[index];
        const bool is_frozen = k->hold + k->decay == 0;
        int expected = k->red;
        if (!is_frozen && within >= k->hold)
            expected += (program.keyframes[k->next].red - k->red) * (within - k->hold) / k->decay;
        RC_ASSERT(colors_at(program, frame * light_frame)[0].red == expected);
        if (!is_frozen && ++within == k->hold + k->decay) {
            within = 0;
            index = k->next;
        }
    }
}

/// A program sent to a simulated cube must show the same colors as the renderer.
RC_GTEST_PROP(LightProgram, ShowsOnACubeWhatIsRendered, ()) {
    const auto time =
        rc::gen::map(rc::gen::inRange(0, 400), [](int frames) -> Duration { return frames * light_frame; });
    const auto transition =
        rc::gen::map(rc::gen::inRange(0, 50), [](int frames) -> Duration { return frames * light_frame; });
    LightPattern pattern{
        .rotation = *rc::gen::element(Rotation::none, Rotation::clockwise, Rotation::counterclockwise)};
    for (LedPattern& led : pattern.leds)
        led = {{*rc::gen::arbitrary<std::uint8_t>(), 0, 7},
               {0, 9, 0},
               *time,
               *time,
               *transition,
               *transition,
               *time,
               *rc::gen::arbitrary<bool>()};
    const auto program = compile(pattern);
    RC_ASSERT(program.has_value());
    SimulatedCube cube({});
    for (const CubeMessage& message : to_messages(*program)) cube.take(encode(message), Instant{});
    for (const int frame : {0, 1, 17, 100, 1000, 100'000})
        RC_ASSERT(cube.leds(Instant(frame * light_frame)) == colors_at(*program, frame * light_frame));
}

TEST(LightProgram, FillsAllSlotsOfACube) {
    LightProgram program;
    for (std::uint8_t i = 0; i < keyframe_slots; ++i) program.keyframes.push_back({i, i, i, 1, 0, i});
    program.start = {0, 42, 126, 127};
    SimulatedCube cube({});
    for (const CubeMessage& message : to_messages(program)) cube.take(encode(message), Instant{});
    EXPECT_EQ(cube.leds({}), (LedColors{{{0, 0, 0}, {42, 42, 42}, {126, 126, 126}, {127, 127, 127}}}));
}

TEST(SimulatedCube, SwapsStagedKeyframesInAtOnce) {
    SimulatedCube cube({});
    const auto messages = to_messages(*compile(steady(red)));
    cube.take(encode(messages[0]), Instant{});
    EXPECT_EQ(cube.leds({}), LedColors{}) << "staged only";
    cube.take(encode(messages[1]), Instant{});
    EXPECT_EQ(cube.leds({})[2], red);
    cube.take(bytes_of("what is this"), Instant{});
    EXPECT_EQ(cube.leds({})[2], red);
}

}  // namespace
}  // namespace caribou::cubes
