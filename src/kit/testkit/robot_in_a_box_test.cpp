#include "kit/testkit/robot_in_a_box.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include <test_paths.hpp>
#include "behavior/action.hpp"
#include "behavior/outcome.hpp"

namespace caribou {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

RobotInABox box_with(std::string_view tree, RobotInABox::Options options = {}) {
    auto box = RobotInABox::make(tree, std::move(options));
    if (!box) throw std::runtime_error(box.error().message);
    return std::move(*box);
}

TEST(RobotInABox, DrivesToAPlaceAndCountsIt) {
    RobotInABox box = box_with(R"({"base": "r", "behaviors": [{"class": "repeat", "id": "r", "children": [
        {"class": "queue", "id": "there_and_back", "children": [
            {"class": "act", "id": "there", "action": {"go_to": 1.5, "y": 0}},
            {"class": "act", "id": "back", "action": {"go_to": 0, "y": 0}}]}]}]})");
    EXPECT_TRUE(box.advance_until([&] { return box.times_succeeded("back") == 1; }, 2min)) << box.ask("why");
    EXPECT_EQ(box.times_succeeded("there"), 1U);
    EXPECT_NEAR(box.pose().x, 3, 0.3);
    EXPECT_NEAR(box.pose().y, 3, 0.3);
}

TEST(RobotInABox, IsNotHinderedAtItsGoal) {
    RobotInABox box = box_with(R"({"base": "r", "behaviors": [{"class": "strict_priority", "id": "r",
        "children": [
            {"class": "act", "id": "away", "wants": {"fact": "battery", "<": 50}, "action": {"go_to": 1, "y": 1}},
            {"class": "act", "id": "park", "action": {"go_to": 1, "y": -0.5}}]}]})");
    EXPECT_TRUE(box.advance_until([&] { return box.times_succeeded("park") > 0; }, 30s)) << box.ask("why");
    box.advance(10s);
    EXPECT_EQ(box.fact("hindered"), behavior::Value(false));
    box.set_battery(40);
    EXPECT_TRUE(box.advance_until([&] { return box.times_succeeded("away") > 0; }, 30s)) << box.ask("why");
}

TEST(RobotInABox, TriesToGoElsewhereAfterItWasHindered) {
    RobotInABox box = box_with(R"({"base": "r", "behaviors": [{"class": "strict_priority", "id": "r",
        "children": [
            {"class": "act", "id": "away", "wants": {"fact": "battery", "<": 50}, "action": {"go_to": 1, "y": 1}},
            {"class": "act", "id": "there", "action": {"go_to": 2, "y": -0.5}}]}]})");
    box.advance(500ms);
    box.lift(true);
    const auto is_hindered = [&] { return box.fact("hindered") == behavior::Value(true); };
    EXPECT_TRUE(box.advance_until(is_hindered, 20s));
    box.lift(false);
    box.advance(2s);
    EXPECT_TRUE(is_hindered());
    EXPECT_EQ(box.times_succeeded("there"), 0U);
    EXPECT_EQ(box.failure("there"), "it does not get on");
    box.set_battery(40);
    EXPECT_TRUE(box.advance_until([&] { return box.times_succeeded("away") > 0; }, 30s)) << box.ask("why");
    EXPECT_FALSE(is_hindered());
}

TEST(RobotInABox, TriesTheSameGoalAgainLater) {
    RobotInABox box =
        box_with(R"({"base": "r", "behaviors": [{"class": "strict_priority", "id": "r", "children": [
        {"class": "act", "id": "there", "action": {"go_to": 2, "y": -0.5}}]}]})");
    box.advance(500ms);
    box.lift(true);
    const auto is_hindered = [&] { return box.fact("hindered") == behavior::Value(true); };
    EXPECT_TRUE(box.advance_until(is_hindered, 20s));
    box.lift(false);
    EXPECT_TRUE(box.advance_until([&] { return box.times_succeeded("there") > 0; }, 1min)) << box.ask("why");
}

TEST(RobotInABox, StatesWhyABehaviorFailsAgainAndAgain) {
    RobotInABox box = box_with(R"({"base": "r", "behaviors": [{"class": "strict_priority", "id": "r",
        "children": [{"class": "act", "id": "there", "action": {"go_to": 100, "y": 0}}]}]})");
    box.advance(2s);
    for (int i = 0; i < 60; ++i) {
        box.advance(100ms);
        EXPECT_THAT(box.ask("why there"), Not(HasSubstr("delegate nothing")));
        EXPECT_EQ(box.failure("there"), "the goal lies outside of the map");
    }
    EXPECT_THAT(box.log(),
                Contains(HasSubstr("there was started five times in a row; there has ended, failed: "
                                   "the goal lies outside of the map"))
                    .Times(1));
}

TEST(RobotInABox, WinksAtACube) {
    RobotInABox box =
        box_with(R"({"base": "r", "behaviors": [{"class": "connect_to_cube", "id": "r", "children": [
        {"class": "repeat", "id": "again", "times": 2, "children": [
        {"class": "act", "id": "wink", "action": {"cube_lights": "yellow", "for": "2s"}}]}]}]})");
    EXPECT_TRUE(box.advance_until([&] { return box.is_active("wink"); }, 60s)) << box.ask("why");
    box.advance(1s);
    EXPECT_EQ(box.cube_lights()[0], (cubes::Color{255, 255, 0}));
    box.advance(4s);
    EXPECT_EQ(box.times_succeeded("wink"), 2U);
}

TEST(RobotInABox, StatesWhatItDoesAndWhy) {
    RobotInABox box = box_with(R"({"base": "r", "facts": {"rounds": 0}, "behaviors": [
        {"class": "strict_priority", "id": "r", "children": ["work", "rest"]},
        {"class": "sequence", "id": "work", "wants": {"fact": "rounds", "<": 1}, "children": ["go", "count"]},
        {"class": "act", "id": "go", "action": {"go_to": 1.5, "y": 0}},
        {"class": "act", "id": "count", "action": {"add": 1, "to": "rounds"}},
        {"class": "idle", "id": "rest", "wants": {"fact": "rounds", ">=": 1}}]})");
    box.advance(500ms);
    EXPECT_THAT(box.ask("doing"), AllOf(StartsWith("Going to a place, "), EndsWith(" away: rounds < 1.")));
    EXPECT_TRUE(box.advance_until([&] { return box.is_active("rest"); }, 1min));
    box.advance(2s);  // the way is remembered for a moment
    EXPECT_EQ(box.ask("doing"), "Rest: rounds >= 1.");
}

TEST(RobotInABox, RunsAProgramOfTheTestItself) {
    const std::string tree =
        R"({"base": "r", "behaviors": [{"class": "strict_priority", "id": "r", "children": [
        {"class": "idle", "id": "sleep", "wants": "is_dark"}, {"class": "idle", "id": "play"}]}]})";
    bool is_dark = false;
    std::size_t pauses = 0;
    const RobotInABox::Program program{
        .hello = R"({"type": "hello", "version": 1, "classes": [{"kind": "condition", "name": "is_dark"}]})",
        .exchange = [&](std::string_view line) {
            if (line.empty()) ++pauses;
            return fmt::format(R"({{"type":"report","answers":[{{"object":1,"yes":{}}}]}})"
                               "\n",
                               is_dark);
        }};
    RobotInABox box = box_with(tree, {.program = program});
    box.advance(1s);
    EXPECT_THAT(box.stack(), ElementsAre("r", "play"));
    is_dark = true;
    box.advance(1s);
    EXPECT_THAT(box.stack(), ElementsAre("r", "sleep"));
    EXPECT_NEAR(static_cast<double>(pauses), 2 / 0.05, 12);
    const auto wrong = RobotInABox::make(tree, {.program = RobotInABox::Program{.hello = "hello"}});
    ASSERT_FALSE(wrong);
    const auto taken = RobotInABox::make(
        tree,
        {.program = RobotInABox::Program{
             .hello =
                 R"({"type": "hello", "version": 1, "classes": [{"kind": "action", "name": "dock"}]})"}});
    ASSERT_FALSE(taken);
    EXPECT_THAT(taken.error().message, HasSubstr("there is another class `dock`"));
}

TEST(RobotInABox, RunsByTheScriptsOfItsStandIns) {
    RobotInABox box = box_with(
        R"({"base": "r", "behaviors": [{"class": "repeat", "id": "r", "children": [
            {"class": "fallback", "id": "f", "children": [
                {"class": "act", "id": "sing", "action": {"sing": "a song"}},
                {"class": "act", "id": "go", "wants": "is_dark", "action": {"go_to": 100, "y": 0}},
                {"class": "act", "id": "rest", "action": {"wait": "1s"}}]}]}]})",
        {.stand_ins = {"sing=succeed 2s,fail 1s", "go_to=succeed 1s", "is_dark=no 5s,yes"}});
    box.advance(2500ms);
    EXPECT_EQ(box.times_succeeded("sing"), 1U);
    EXPECT_EQ(box.times_failed("sing"), 0U);
    box.advance(60s);
    EXPECT_EQ(box.times_succeeded("sing"), 1U);
    EXPECT_GT(box.times_failed("sing"), 10U);
    EXPECT_EQ(box.failure("sing"), "the stand-in `sing` fails here");
    EXPECT_GT(box.times_succeeded("rest"), 1U);
}

TEST(RobotInABox, KnowsTheClassesOfAProgram) {
    class Hum final : public behavior::Action {
    public:
        explicit Hum(robot::RobotMeans robot) : robot_(std::move(robot)) {}
        std::string_view name() const override { return "hum"; }
        void start(Instant) override {
            robot_.changes.set("hums", true);
            robot_.publish("HUM", 440.0);
            robot_.control.set_lights(motion::BodyLights::awake);
        }
        std::optional<behavior::Outcome> poll(Instant) override { return behavior::Outcome::succeeded(); }
        void cancel() override {}

    private:
        robot::RobotMeans robot_;
    };
    const auto own = [](behavior::ClassRegistry& classes, const robot::RobotMeans& robot) {
        classes.add(behavior::FactDeclaration{
            .name = "hums", .about = "it has hummed", .fallback = behavior::Value(false)});
        classes.add(behavior::ActionClass{.name = "hum", .make = [robot](const behavior::Arguments&) {
                                              return std::make_unique<Hum>(robot);
                                          }});
    };
    RobotInABox box =
        box_with(R"({"base": "r", "behaviors": [{"class": "strict_priority", "id": "r", "children": [
        {"class": "act", "id": "hum", "wants": {"not": {"fact": "hums"}}, "action": "hum"},
        {"class": "idle", "id": "rest"}]}]})",
                 {.own = own});
    EXPECT_EQ(box.fact("hums"), behavior::Value(false));
    box.advance(1s);
    EXPECT_EQ(box.fact("hums"), behavior::Value(true));
    EXPECT_THAT(box.stack(), ElementsAre("r", "rest"));
    EXPECT_THAT(box.published(), ElementsAre(std::pair("HUM", behavior::Value(440.0))));
}

TEST(RobotInABox, SetsTheScene) {
    RobotInABox box = box_with(
        R"({"base": "r", "behaviors": [{"class": "strict_priority", "id": "r", "children": [
            {"class": "idle", "id": "held", "allowed_off_ground": true, "wants": {"fact": "off_ground"}, "cancel": {"not": {"fact": "off_ground"}}},
            {"class": "idle", "id": "tired", "wants": {"fact": "battery", "<": 20}},
            {"class": "idle", "id": "deep", "wants": {"fact": "bus:DEPTH", ">": 3}},
            {"class": "idle", "id": "rest"}]}]})",
        {.bus_facts = {"DEPTH"}});
    box.advance(1s);
    EXPECT_THAT(box.stack(), ElementsAre("r", "rest"));
    box.lift(true);
    box.advance(2s);
    EXPECT_THAT(box.stack(), ElementsAre("r", "held"));
    box.lift(false);
    box.advance(3s);
    EXPECT_THAT(box.stack(), ElementsAre("r", "rest"));
    box.hear_bus("DEPTH", 4.0);
    box.advance(1s);
    EXPECT_THAT(box.stack(), ElementsAre("r", "deep"));
    box.set_battery(10);
    box.advance(1s);
    EXPECT_EQ(box.times_activated("rest"), 2U);
}

TEST(RobotInABox, PatrolsAgainAfterItHasCharged) {
    std::ifstream file(tests::in_repository("examples/trees/patrol_and_wink.json"));
    const std::string tree{std::istreambuf_iterator<char>(file), {}};
    RobotInABox box = box_with(tree, {.room = R"(
name = "room"
size = [6, 6]
[battery]
minutes = 5
level = 0.35
[[start]]
at = [3, 3]
heading = 0
[charger]
at = [0.6, 3]
heading = 0
)"});
    EXPECT_TRUE(box.advance_until([&] { return box.is_active("charge"); }, 5min)) << box.ask("why");
    EXPECT_TRUE(box.advance_until([&] { return box.times_succeeded("leave_dock") == 1; }, 5min))
        << box.ask("why");
    const std::size_t rounds = box.times_succeeded("patrol");
    EXPECT_TRUE(box.advance_until([&] { return box.times_succeeded("patrol") == rounds + 1; }, 2min))
        << box.ask("why");
    box.advance(1s);
    EXPECT_EQ(box.fact("rounds"), behavior::Value(static_cast<double>(rounds + 1)));
}

TEST(RobotInABox, DoesNotCountARoundThatReachedNoPlace) {
    std::ifstream file(tests::in_repository("examples/trees/patrol_and_wink.json"));
    const std::string tree{std::istreambuf_iterator<char>(file), {}};
    RobotInABox box = box_with(tree, {.stand_ins = {"go_to=fail 1s"}});
    box.advance(30s);
    EXPECT_GT(box.times_failed("patrol"), 1U);
    EXPECT_EQ(box.fact("rounds"), behavior::Value(0.0));
}

TEST(RobotInABox, ReportsWhatIsWrong) {
    const auto error = [](std::string_view tree, RobotInABox::Options options = {}) {
        const auto box = RobotInABox::make(tree, std::move(options));
        return box ? std::string() : box.error().message;
    };
    EXPECT_THAT(error(R"({"base": "r", "behaviors": [{"class": "idel", "id": "r"}]})"),
                HasSubstr("did you mean `idle`?"));
    const char* const good = R"({"base": "r", "behaviors": [{"class": "idle", "id": "r"}]})";
    EXPECT_THAT(error(good), IsEmpty());
    EXPECT_THAT(error(good, {.stand_ins = {"hum=suceed"}}), HasSubstr("did you mean `succeed`?"));
    EXPECT_THAT(error(good, {.stand_ins = {"hum=succeed 2"}}), HasSubstr("expected a time such as 2s"));
    EXPECT_THAT(error(good, {.stand_ins = {"hum=succeed,yes"}}), HasSubstr("are of conditions"));
    EXPECT_THAT(error(good, {.stand_ins = {"h m"}}), HasSubstr("is not the name of a class"));
    EXPECT_THAT(error(good, {.room = "nonsense"}), HasSubstr("room:1"));
}

}  // namespace
}  // namespace caribou
