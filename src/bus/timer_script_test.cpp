#include "bus/timer_script.hpp"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <test_paths.hpp>

#include "bus/timer_script_value.hpp"

namespace caribou::bus {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Post = TimerScript::Post;

TimerEvent event(std::string_view text) { return parse_timer_event(text).value(); }

/// A script and its time.
class ScriptTime {
public:
    explicit ScriptTime(TimerScript::Settings settings) : script(std::move(settings), Random(7)) { step(0); }

    /// Returns what the script posts when the time has advanced: `V=1 W=text`.
    std::string step(double seconds, bool runs = true) {
        now += from_seconds(seconds);
        std::string all;
        for (const Post& post : script.step(now, runs, facts))
            all +=
                (all.empty() ? "" : " ") + (post.variable.empty() ? "quit" : post.variable + "=" + post.text);
        return all;
    }

    TimerScript script;
    TimerScript::Facts facts{.utc = 1000.5, .community = "alpha"};
    Instant now{};
};

TEST(TimerScript, PostsItsEventsInOrderOfTime) {
    ScriptTime time({.events = {event("var=B, val=two words, time=5"), event("var=A,val=1,time=2"),
                                event("quit, time=9")}});
    EXPECT_EQ(time.step(1.9), "");
    EXPECT_EQ(time.step(0.2), "A=1");
    EXPECT_EQ(time.step(4), "B=two words");
    EXPECT_EQ(time.step(10), "quit");
    EXPECT_EQ(time.step(100), "");
}

TEST(TimerScript, ReportsTheStatusOfTheOriginal) {
    std::ifstream golden(tests::in_repository("tests/golden/moos-timer/status.txt"));
    std::string captured;
    ASSERT_TRUE(std::getline(golden, captured));
    ScriptTime time({.events = {event("var=A, val=1, time=1"), event("var=B, val=1, time=2, amt=2")},
                     .reset = TimerScript::Reset::after,
                     .reset_time = 1000,
                     .most_resets = 2});
    time.step(135.93);
    EXPECT_EQ(time.script.status(), captured);
}

TEST(TimerScript, DistinguishesNumbersFromTexts) {
    TimerScript script(
        {.events = {event("var=A, val=\"5\""), event("var=B, val=-5.50"), event("var=C, val=1e5"),
                    event("var=D, val={2*{3+1}-1/2}"), event("var=E, val={\"json\":1}")}},
        Random(1));
    EXPECT_THAT(script.step({}, true, {}),
                ElementsAre(Post{"A", "5", {}}, Post{"B", "-5.50", -5.5}, Post{"C", "1e5", {}},
                            Post{"D", "7.5", 7.5}, Post{"E", "{\"json\":1}", {}}));
}

TEST(TimerScript, ExpandsMacros) {
    ScriptTime time(
        {.events = {event("var=A, val=\"$[UTC],$(VNAME),$[COUNT],$[IDX],$[TCOUNT],$[NAV_X],$[OTHER]\""),
                    event("var=B, val=x$(COUNT)$[TCOUNT]$, time=1"), event("var=C, val=$(3), time=2"),
                    event("var=D, val=$[DBTIME], time=3")},
         .delay_reset = {1, 1},
         .reset = TimerScript::Reset::all_posted});
    time.facts.db_uptime = 12.345;
    EXPECT_EQ(time.step(1), "B=x11$");
    EXPECT_THAT(time.step(1), testing::MatchesRegex("C=[0-9][0-9][0-9]"));
    time.facts.nav_x = 2.25;
    EXPECT_EQ(time.step(1), "D=12.35");
    EXPECT_EQ(time.step(1), "A=1000.50,alpha,0,000,4,2.25,$[OTHER]");
}

TEST(TimerScript, IsPausedForwardedAndReset) {
    ScriptTime time(
        {.events = {event("var=A, val=1, time=10"), event("var=B, val=1, time=20")}, .most_resets = 1});
    time.script.pause(true);
    EXPECT_EQ(time.step(100), "");
    time.script.pause(false);
    EXPECT_EQ(time.step(5), "");
    time.script.forward(5);
    EXPECT_EQ(time.step(0), "A=1");
    time.script.forward(0);
    EXPECT_EQ(time.step(0), "B=1");
    EXPECT_TRUE(time.script.reset());
    EXPECT_EQ(time.step(10), "A=1");
    EXPECT_FALSE(time.script.reset()) << "it was reset once";
}

TEST(TimerScript, StandsStillWithoutItsConditionsUnlessItIsAtomic) {
    const TimerScript::Settings settings{
        .events = {event("var=A, val=1, time=1"), event("var=B, val=1, time=2")}};
    ScriptTime plain(settings);
    EXPECT_EQ(plain.step(1), "A=1");
    EXPECT_EQ(plain.step(9, false), "");
    EXPECT_EQ(plain.step(0.5), "");
    EXPECT_EQ(plain.step(0.5), "B=1");
    auto atomic = settings;
    atomic.is_atomic = true;
    ScriptTime whole(atomic);
    EXPECT_EQ(whole.step(0.5, false), "");
    EXPECT_EQ(whole.step(1), "A=1");
    EXPECT_EQ(whole.step(1, false), "B=1");
}

TEST(TimerScript, StartsAgainWhenItsConditionsHoldAgain) {
    TimerScript::Settings settings{.events = {event("var=A, val=1, time=1")}, .most_resets = 1};
    settings.upon_awake = TimerScript::Awake::reset;
    ScriptTime counted(settings);
    EXPECT_EQ(counted.step(1), "A=1");
    for (const char* posted : {"A=1", ""}) {
        counted.step(1, false);
        EXPECT_EQ(counted.step(1), posted);
    }
    settings.upon_awake = TimerScript::Awake::restart;
    ScriptTime uncounted(settings);
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(uncounted.step(1), "A=1");
        uncounted.step(1, false);
    }
    EXPECT_THAT(uncounted.script.status(), HasSubstr("resets=0/1"));
}

TEST(TimerScript, CountsFromTheStartOfTheBroker) {
    ScriptTime time({.events = {event("var=A, val=1, time=60")}, .from_db_start = true});
    EXPECT_EQ(time.step(100), "") << "the uptime is not known yet";
    time.facts.db_uptime = 59;
    EXPECT_EQ(time.step(0), "");
    EXPECT_EQ(time.step(1), "A=1");
}

TEST(TimerScriptWords, AreReadOrNameTheMistake) {
    const auto view = event("var=VIEW_POINT, val=\"x=1,y=2\", time=5:10, amt=2");
    EXPECT_EQ(
        view,
        (TimerEvent{
            .variable = "VIEW_POINT", .text = "x=1,y=2", .is_quoted = true, .time = {5, 10}, .amount = 2}));
    EXPECT_EQ(event("var=A, val={a,b}").text, "{a,b}");
    const auto mistake = [](std::string_view text) { return parse_timer_event(text).error().message; };
    EXPECT_THAT(mistake("var=A, vall=1"), HasSubstr("there is no `vall` here; did you mean `val`?"));
    EXPECT_THAT(mistake("val=1"), HasSubstr("needs a variable"));
    EXPECT_THAT(mistake("var=A, val=1, time=9:3"), HasSubstr("`9:3` is not a number or a range"));
    EXPECT_THAT(mistake("var=A, val=1, amt=0"), HasSubstr("amt is 0"));
    const auto macro = parse_timer_macro("varname=N, min=1, max=5, key=at_post, snap=0.5");
    ASSERT_TRUE(macro);
    EXPECT_EQ(*macro,
              (TimerMacro{.name = "N", .range = {1, 5}, .drawn = TimerMacro::Drawn::at_post, .snap = 0.5}));
    EXPECT_THAT(parse_timer_macro("varname=N, min=1").error().message, HasSubstr("needs min and max"));
    EXPECT_THAT(parse_timer_macro("varname=N, min=1, max=2, key=often").error().message,
                HasSubstr("key is `often`"));
    EXPECT_TRUE(parse_timer_macro("varname=N, type=gaussian, mu=5, sigma=2"));
}

/// Every event is posted once per round, within its range of times; random variables keep their limits.
RC_GTEST_PROP(TimerScript, PostsEachEventOnceInItsRange, ()) {
    const auto events = *rc::gen::container<std::vector<std::pair<int, int>>>(
        rc::gen::pair(rc::gen::inRange(0, 50), rc::gen::inRange(0, 50)));
    TimerScript::Settings settings{
        .macros = {parse_timer_macro("varname=R, min=-2, max=3, snap=0.25, key=at_post").value()}};
    for (std::size_t i = 0; i < events.size(); ++i)
        settings.events.push_back({.variable = "V" + std::to_string(i),
                                   .text = "$[R]",
                                   .time = {static_cast<double>(events[i].first),
                                            static_cast<double>(events[i].first + events[i].second)}});
    ScriptTime time(settings);
    TimerScript script(settings, Random(*rc::gen::arbitrary<std::uint64_t>()));
    std::vector<int> posted(events.size());
    for (int second = 0; second <= 101; ++second)
        for (const Post& post : script.step(Instant{} + std::chrono::seconds(second), true, {})) {
            const auto i = std::stoul(post.variable.substr(1));
            ++posted[i];
            RC_ASSERT(second >= events[i].first && second <= events[i].first + events[i].second + 1);
            RC_ASSERT(post.number && *post.number >= -2 && *post.number <= 3);
            RC_ASSERT(*post.number * 4 == static_cast<int>(*post.number * 4));
        }
    RC_ASSERT(std::ranges::all_of(posted, [](int count) { return count == 1; }));
}

}  // namespace
}  // namespace caribou::bus
