#include "bus/parameters.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace caribou::bus {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct Depth {
    Depth() {
        parameters.add("MaxDepth", max_depth, {0, 100}, "Metres at which it turns round");
        parameters.add("Retries", retries, {.low = 0}, "");
        parameters.add("Verbose", verbose, "Tell more");
        parameters.add("Title", title, "");
        parameters.add("Watch", watch, "A variable to watch; may be repeated");
    }
    std::vector<std::string> told(std::string_view block) {
        const auto mission = parse_moos_mission(block, "m", {});
        std::vector<std::string> lines;
        for (const auto& finding : parameters.fill(mission.settings))
            lines.push_back(to_string("m", finding));
        return lines;
    }

    double max_depth = 30;
    int retries = 3;
    bool verbose = false;
    std::string title;
    std::vector<std::string> watch{"NAV_DEPTH"};
    Parameters parameters;
};

TEST(Parameters, TakeValuesOfTheirType) {
    Depth depth;
    EXPECT_THAT(
        depth.told("max_depth = 12.5\nRETRIES = 0\nVerbose = Yes\nTitle = \"x\"\nWatch = A\nWatch = B\n"),
        IsEmpty());
    EXPECT_EQ(depth.max_depth, 12.5);
    EXPECT_EQ(depth.retries, 0);
    EXPECT_TRUE(depth.verbose);
    EXPECT_EQ(depth.title, "x");
    EXPECT_THAT(depth.watch, ElementsAre("A", "B"));
    EXPECT_TRUE(depth.parameters.is_set("MaxDepth"));
}

TEST(Parameters, KeepTheirDefaultsWhenNothingOrNonsenseIsSaid) {
    Depth depth;
    EXPECT_THAT(depth.told("MaxDepth = 200\n"), ElementsAre(HasSubstr("from 0 to 100")));
    EXPECT_EQ(depth.max_depth, 30);
    EXPECT_THAT(depth.watch, ElementsAre("NAV_DEPTH"));
    EXPECT_FALSE(depth.parameters.is_set("MaxDepth"));
}

TEST(Parameters, SayWhereAndWhatInstead) {
    Depth depth;
    EXPECT_THAT(depth.told("MaxDepht = 1\nMaxDepth = deep\nRetries = -1\nRetries = 1.5\nVerbose = perhaps\n"),
                ElementsAre("m:1: error: no parameter `MaxDepht`; did you mean `MaxDepth`?",
                            "m:2: error: MaxDepth is `deep`; expected a number from 0 to 100",
                            "m:3: error: Retries is `-1`; expected a whole number of at least 0",
                            "m:4: warning: Retries is repeated; the first value is used",
                            "m:5: error: Verbose is `perhaps`; expected `true` or `false`"));
    for (const char* wrong : {"MaxDepth = nan", "MaxDepth = inf", "MaxDepth = 1m", "Retries = 1.5"})
        EXPECT_EQ(Depth().told(wrong).size(), 1u) << wrong;
}

TEST(Parameters, HoldTomlToItsTypes) {
    Depth depth;
    const auto mission = parse_toml_mission(
        "max_depth = \"12\"\ntitle = 5\nverbose = 1\nretries = 7\nwatch = [\"A\", \"B\"]\n", "m.toml");
    const auto findings = depth.parameters.fill(mission.settings);
    ASSERT_EQ(findings.size(), 3u);
    EXPECT_EQ(findings[0].text, "MaxDepth is `12`; expected a number from 0 to 100");
    EXPECT_EQ(findings[1].text, "Title is `5`; expected a string in quotes");
    EXPECT_EQ(depth.retries, 7);
    EXPECT_THAT(depth.watch, ElementsAre("A", "B"));
}

TEST(Parameters, QuestionOnlyWhatLooksMisspeltWhereOthersReadToo) {
    Depth depth;
    const auto mission = parse_moos_mission("LatOrigin = 1\nMaxDeph = 1\n", "m", {});
    const auto findings = depth.parameters.fill(mission.settings, UnknownKeys::question);
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].kind, MissionFinding::Kind::warning);
    EXPECT_EQ(findings[0].line, 2u);
}

TEST(Parameters, WriteAnExampleThatReadsAsTheDefaults) {
    Depth depth;
    const std::string example = depth.parameters.example("pDepth");
    EXPECT_THAT(example, HasSubstr("  // Metres at which it turns round\n  MaxDepth = 30\n"));
    const Mission mission = parse_moos_mission(example, "m", {});
    EXPECT_THAT(mission.findings, IsEmpty());
    Depth again;
    EXPECT_THAT(again.parameters.fill(mission.find_block("pDepth")->settings), IsEmpty());
    EXPECT_EQ(again.max_depth, depth.max_depth);
}

TEST(Parameters, CheckRepeatedKeysLineByLine) {
    std::vector<std::string> events;
    Parameters parameters;
    parameters.add(
        "event", events,
        [](std::string_view value) -> Result<void> {
            if (value.contains('=')) return {};
            return fail(Code::invalid_argument, "expected `=`");
        },
        "an event");
    parameters.add_unsupported("Compress");
    const auto findings = parameters.fill(
        std::vector<MissionSetting>{{"event", "a=1", 3}, {"event", "b", 4}, {"compress", "true", 5}});
    ASSERT_EQ(findings.size(), 2U);
    EXPECT_EQ(to_string("m.moos", findings[0]), "m.moos:4: error: event: expected `=`");
    EXPECT_EQ(to_string("m.moos", findings[1]),
              "m.moos:5: warning: `Compress` is not supported, and has no effect");
    EXPECT_EQ(events, std::vector<std::string>{"a=1"});
    EXPECT_FALSE(parameters.set("Compress", "true"));
    EXPECT_EQ(parameters.example("p").find("Compress"), std::string::npos);
}

TEST(Parameters, CheckTextsAndTakeAnyNumberWithoutARange) {
    std::string mode = "slow";
    double offset = 0;
    int count = 0;
    Parameters parameters;
    parameters.add(
        "mode", mode,
        [](std::string_view value) -> Result<void> {
            if (value == "slow" || value == "fast") return {};
            return fail(Code::invalid_argument, fmt::format("expected slow or fast, found `{}`", value));
        },
        "");
    parameters.add("offset", offset, "what it is");
    parameters.add("count", count, "what it is");
    EXPECT_THAT(parameters.fill(std::vector<MissionSetting>{
                    {"mode", "\"fast\"", 1}, {"offset", "-1e12", 2}, {"count", "-7", 3}}),
                IsEmpty());
    EXPECT_EQ(mode, "fast");
    EXPECT_EQ(offset, -1e12);
    EXPECT_EQ(count, -7);
    const auto findings = parameters.fill(std::vector<MissionSetting>{{"mode", "medium", 9}});
    ASSERT_EQ(findings.size(), 1U);
    EXPECT_EQ(to_string("m.moos", findings[0]),
              "m.moos:9: error: mode: expected slow or fast, found `medium`");
    EXPECT_EQ(mode, "fast");
}

TEST(Parameters, CheckWhatDependsOnOthersWhenAllAreRead) {
    std::vector<std::string> routes;
    bool permitted = false;
    Parameters parameters;
    parameters.add("route", routes, "");
    parameters.add_final_check("route", [&](std::string_view value) -> Result<void> {
        if (value == "lost") return fail(Code::not_found, "no such key");
        if (permitted) return {};
        return fail(Code::refused, "not permitted");
    });
    parameters.add("permitted", permitted, "");
    std::vector<MissionSetting> settings{{"route", "there", 3}, {"permitted", "true", 4}};
    EXPECT_THAT(parameters.fill(settings), IsEmpty());
    EXPECT_THAT(parameters.check_filled(settings), IsEmpty()) << "also if the other one comes later";
    settings = {{"route", "there", 3}, {"permitted", "false", 4}, {"route", "lost", 5}};
    EXPECT_THAT(parameters.fill(settings), IsEmpty());
    const auto findings = parameters.check_filled(settings, MissionFinding::Kind::warning);
    ASSERT_EQ(findings.size(), 2U);
    EXPECT_EQ(to_string("m", findings[0]), "m:3: error: route: not permitted");
    EXPECT_EQ(to_string("m", findings[1]), "m:5: warning: route: no such key");
}

}  // namespace
}  // namespace caribou::bus
