#include "cubes/cube_console.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json_node.hpp"
#include "cubes/cube_picture.hpp"
#include "cubes/simulated_world.hpp"
#include "loop/virtual_loop.hpp"

namespace caribou::cubes {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

class Console : public testing::Test {
protected:
    VirtualLoop loop;
    NullLog log;
    MemoryPreferenceStore store;
    SimulatedRadio radio{loop};
    SimulatedCube& cube = radio.add_cube();
    SimulatedWorld world{loop, radio, cube};
    CubeSystem cubes{loop, radio, store, log};
    std::vector<std::string> told;
    CubeConsole console{cubes,
                        [](const std::string& path) -> Result<std::string> {
                            if (path == "my lights.json") return R"({"leds": {"on_color": "red"}})";
                            return fail(Code::io, "cannot open " + path);
                        },
                        [this](const std::string& line) { told.push_back(line); }};

    std::string run(std::string_view line) {
        const auto answer = console.run(line);
        return answer ? *answer : "error: " + answer.error().message;
    }
};

TEST_F(Console, HoldsACubeForWhoSubscribes) {
    EXPECT_EQ(run("subscribe game background 1min"), "game subscribes, background\n");
    loop.advance(20s);
    EXPECT_THAT(told, ElementsAre("game callback: connected, background"));
    EXPECT_THAT(run("status"), AllOf(HasSubstr("state        connected_background"),
                                     HasSubstr("subscriber   game, background, for 40.0 s"),
                                     HasSubstr("link         connected c0:be:00:00:00:01, firmware 1.0.0"),
                                     HasSubstr("connecting -> connected_background: the cube is connected")));
    EXPECT_EQ(run("unsubscribe game"), "game has released its subscription\n");
    loop.advance(5s);
    EXPECT_THAT(run("status"), HasSubstr("countdown    background hold: 10.0 s"));
    EXPECT_THAT(run("trace"), HasSubstr("from cube  acceleration"));
    EXPECT_THAT(run("unsubscribe gmae"), HasSubstr("no subscriber is called `gmae`"));
}

TEST_F(Console, SaysWhatTheCoordinatorWillMakeOfItBeforeItActs) {
    EXPECT_THAT(run("connect"), HasSubstr("treats this as an unexpected connection"));
    loop.advance(20s);
    EXPECT_EQ(cubes.coordinator.state(), CoordinatorState::connected_background);
    EXPECT_THAT(run("disconnect"), HasSubstr("treats this as a lost connection"));
    loop.advance(1s);
    EXPECT_EQ(run("disconnect"), "error: there is no link to disconnect");
    run("subscribe a");
    loop.run_ready();
    EXPECT_THAT(run("disconnect"), HasSubstr("treats this as a failed attempt"));
    loop.advance(1s);
    EXPECT_THAT(told, ElementsAre("a callback: the connection failed"));
}

TEST_F(Console, ListsAndPrefersCubes) {
    radio.add_cube({.address = {0xc0be'0000'0002}, .distance = 3});
    EXPECT_EQ(run("list"), "no cube was seen\n");
    EXPECT_EQ(run("scan"), "looking for cubes\n");
    EXPECT_EQ(run("prefer c0:be:00:00:00:02"), "c0:be:00:00:00:02 is preferred now\n");
    loop.advance(15s);
    EXPECT_THAT(run("list"), HasSubstr("Vector Cube, preferred\n"));
    EXPECT_EQ(run("forget"), "no cube is preferred any more\n");
    EXPECT_FALSE(store.saved);
    EXPECT_THAT(run("connect c0:be"), HasSubstr("is not an address of a cube"));
    EXPECT_THAT(run("connect c0:be:00:00:00:02"), HasSubstr("connecting by hand"));
}

TEST_F(Console, PlaysLightsOfFilesOnTheUserLayer) {
    EXPECT_THAT(run("lights \"my lights.json\""), HasSubstr("as soon as one is connected"));
    run("subscribe a");
    loop.advance(20s);
    EXPECT_EQ(cube.leds(loop.clock().now())[0], (Color{255, 0, 0}));
    EXPECT_EQ(cubes.lights.showing(), LightLayer::user);
    run("flash");
    loop.advance(100ms);
    EXPECT_EQ(cube.leds(loop.clock().now())[0], (Color{255, 255, 255}));
    run("lights off");
    EXPECT_NE(cubes.lights.showing(), LightLayer::user);
    EXPECT_EQ(run("lights nope"), "error: cannot open nope");
}

TEST_F(Console, TellsItsCommands) {
    const auto help = console.run("help");
    ASSERT_TRUE(help) << help.error().message;
    for (const CubeCommand& command : CubeConsole::commands()) EXPECT_THAT(*help, HasSubstr(command.usage));
}

TEST_F(Console, SaysWhatInsteadOfWhatItDoesNotUnderstand) {
    EXPECT_EQ(run("statsu"), "error: no command is called `statsu`; did you mean `status`?");
    EXPECT_EQ(run("prefer"), "error: it is `prefer ADDRESS`: look for this cube first");
    EXPECT_EQ(run("forget it"),
              "error: it is `forget`: prefer none; the next cube to be connected becomes preferred");
    EXPECT_EQ(run("subscribe a softly"),
              "error: `softly` is neither background, interactable nor a time such as 30s");
    EXPECT_EQ(run("  "), "error: a command is missing; `status` shows how things are");
}

TEST_F(Console, HasAWorldInWhichThingsHappen) {
    std::vector<std::string> events;
    cubes.set_on_event([&](const CubeEvent& event) { events.push_back(describe(event)); });
    run("subscribe a");
    loop.advance(20s);
    events.clear();
    for (const char* line : {"tap", "turn y_up", "move"}) {
        EXPECT_TRUE(SimulatedWorld::knows(line));
        EXPECT_TRUE(world.run(line)) << line;
        loop.advance(5s);
    }
    EXPECT_THAT(events,
                testing::IsSupersetOf({"tapped", "moved", "up_axis_changed to y_up", "stopped_moving"}));
    ASSERT_TRUE(world.run("distance 30"));
    loop.advance(5s);
    EXPECT_EQ(told.back(), "a callback: the connection was lost");
    EXPECT_FALSE(SimulatedWorld::knows("status"));
    EXPECT_THAT(world.run("turn up").error().message, HasSubstr("expected the axis that points up"));
    EXPECT_THAT(world.run("volts many").error().message, HasSubstr("needs a number"));
}

TEST_F(Console, ShowsTheSameAsOneObjectOfJson) {
    run("subscribe game interactable");
    loop.advance(5s);
    const auto searching = read_json(to_json(picture_of(cubes, loop.clock())));
    EXPECT_TRUE(searching->find("comms")->find("scanning")->truth);
    EXPECT_EQ(searching->find("comms")->find("left")->number, 10) << "of 15 s";
    loop.advance(15s);
    cube.tap();
    loop.advance(1s);
    const auto json = read_json(to_json(picture_of(cubes, loop.clock())));
    ASSERT_TRUE(json) << json.error().message;
    EXPECT_EQ(json->find("comms")->find("state")->text, "connected");
    EXPECT_EQ(json->find("coordinator")->find("state")->text, "connected_interactable");
    EXPECT_EQ(json->find("subscribers")->items.at(0).find("name")->text, "game");
    const JsonNode& shown = json->find("cubes")->items.at(0);
    EXPECT_TRUE(shown.find("connected")->truth);
    EXPECT_TRUE(shown.find("preferred")->truth);
    EXPECT_EQ(shown.find("taps")->number, 1);
    EXPECT_EQ(shown.find("lights")->items.size(), led_count);
    EXPECT_EQ(shown.find("acceleration")->items.size(), 3U);
    EXPECT_FALSE(json->find("transitions")->items.empty());
    EXPECT_LE(json->find("trace")->items.size(), 50U);
}

}  // namespace
}  // namespace caribou::cubes
