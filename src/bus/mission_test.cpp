#include "bus/mission.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace caribou::bus {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::optional<std::string> environment(std::string_view name) {
    if (name == "VEHICLE") return "from_environment";
    return std::nullopt;
}

Mission moos(std::string_view text) { return parse_moos_mission(text, "m.moos", environment); }
Mission toml(std::string_view text) { return parse_toml_mission(text, "m.toml"); }

std::vector<std::string> told(const Mission& mission) {
    std::vector<std::string> lines;
    for (const auto& finding : mission.findings) lines.push_back(to_string(mission.path, finding));
    return lines;
}

TEST(MoosMission, ReadsGlobalsAndBlocksWithTheirLines) {
    const Mission mission = moos(
        "ServerHost = localhost   // where\r\n"
        "ServerPort=9000\n"
        "\n"
        "ProcessConfig = pDepth\n"
        "{\n"
        "  AppTick = 4\n"
        "  Title = two words // said \"so\"\n"
        "}\n");
    EXPECT_THAT(mission.settings, ElementsAre(MissionSetting{"ServerHost", "localhost", 1},
                                              MissionSetting{"ServerPort", "9000", 2}));
    ASSERT_EQ(mission.blocks.size(), 1u);
    EXPECT_EQ(mission.blocks[0].line, 4u);
    EXPECT_THAT(mission.blocks[0].settings,
                ElementsAre(MissionSetting{"AppTick", "4", 6}, MissionSetting{"Title", "two words", 7}));
    EXPECT_THAT(mission.findings, IsEmpty());
}

TEST(MoosMission, FindsKeysInAnyCaseAndTheFirstOfThem) {
    const Mission mission = moos("processconfig = pA\n{\nAPPTICK = 1\napptick = 2\n}\n");
    const MissionBlock* block = mission.find_block("PA");
    ASSERT_TRUE(block);
    EXPECT_EQ(block->find("AppTick")->value, "1");
    EXPECT_EQ(block->find("app_tick")->value, "1");
    EXPECT_FALSE(block->find("AppTock"));
}

TEST(MoosMission, KeepsWhatStandsInQuotesFromBeingAComment) {
    const Mission mission = moos("ProcessConfig = p\n{\nUrl = \"http://host\" // there\n}\n");
    EXPECT_EQ(mission.blocks[0].find("Url")->value, "\"http://host\"");
}

TEST(MoosMission, LeavesOutBlanksInGlobalValuesAndSaysSo) {
    const Mission mission = moos("Community = alpha one\n");
    EXPECT_EQ(mission.find("Community")->value, "alphaone");
    EXPECT_THAT(told(mission),
                ElementsAre(HasSubstr("m.moos:1: warning: blanks outside of blocks are ignored")));
}

TEST(MoosMission, ExpandsMacrosLocalOnesFirst) {
    const Mission mission = moos(
        "Community = ${VEHICLE}\n"
        "define: BASE = 90\n"
        "define: PORT = ${BASE}0\n"
        "ServerPort = ${PORT}${BASE}\n");
    EXPECT_EQ(mission.find("Community")->value, "from_environment");
    EXPECT_EQ(mission.find("ServerPort")->value, "90090");
    EXPECT_EQ(moos("define: VEHICLE = here\nCommunity = ${VEHICLE}\n").find("Community")->value, "here");
}

TEST(MoosMission, SaysWhichMacroIsUnknown) {
    EXPECT_THAT(told(moos("define: VESSEL = a\nCommunity = ${VESEL}\n")),
                ElementsAre("m.moos:2: error: `${VESEL}` is neither defined here nor in the environment; did "
                            "you mean `${VESSEL}`?"));
    EXPECT_THAT(told(moos("A = ${B\n")), ElementsAre("m.moos:1: error: `${` without its `}`"));
    EXPECT_THAT(told(moos("define: A\n")), ElementsAre(HasSubstr("`define: NAME = value`")));
}

TEST(MoosMission, StopsMacrosThatGrow) {
    std::string text = "define: M0 = 0123456789\n";
    for (int i = 1; i < 60; ++i)
        text += "define: M" + std::to_string(i) + " = ${M" + std::to_string(i - 1) + "}${M" +
                std::to_string(i - 1) + "}\n";
    const Mission mission = moos(text);
    EXPECT_THAT(mission.findings.at(0).text, HasSubstr("limit max_mission_line reached"));
}

TEST(MoosMission, RefusesLinesThatAreTooLong) {
    EXPECT_THAT(told(moos("A = " + std::string(2000, 'x') + "\n")),
                ElementsAre(HasSubstr("m.moos:1: error: limit max_mission_line reached: 2004 of at most")));
}

TEST(MoosMission, SaysWhatIsWrongWithBlocks) {
    EXPECT_THAT(told(moos("ProcessConfig = pA\nAppTick = 1\n}\n")),
                ElementsAre("m.moos:2: error: the block of pA must begin with a `{` on its own line"));
    EXPECT_THAT(told(moos("ProcessConfig = pA\n{\nAppTick = 1\n")),
                ElementsAre("m.moos:1: error: the block of pA has no `}`"));
    EXPECT_THAT(told(moos("ProcessConfig = pA\n{\nProcessConfig = pB\n{\n}\n")),
                ElementsAre("m.moos:3: error: the block of pA in line 1 is not closed with a `}`"));
    EXPECT_THAT(told(moos("}\n{\n")), ElementsAre("m.moos:1: error: `}` without its `{`",
                                                  HasSubstr("m.moos:2: error: `{` without a `Process")));
    EXPECT_THAT(told(moos("ProcessConfig = \n{\n}\n")), ElementsAre(HasSubstr("needs the name")));
}

TEST(MoosMission, WarnsOfWhatIsNotRead) {
    EXPECT_THAT(told(moos("ServerPort = 1\nServerPort = 2\nnonsense\nCommunity =\n")),
                ElementsAre("m.moos:2: warning: ServerPort is already set in line 1; the first value is used",
                            "m.moos:3: warning: `nonsense` is ignored; expected `key = value`",
                            "m.moos:4: warning: Community has no value and is ignored"));
    EXPECT_THAT(told(moos("ProcessConfig = pA\n{\n}\nProcessConfig = pA\n{\n}\n")),
                ElementsAre("m.moos:4: warning: pA already has a block in line 1, which is used"));
}

TEST(TomlMission, ReadsTablesAsBlocks) {
    const Mission mission = toml(
        "server_port = 9000\n"
        "[pDepth]\n"
        "app_tick = 2.5\n"
        "fast = true\n"
        "names = [\"a\", \"b\"]\n");
    EXPECT_EQ(*mission.find("ServerPort"), (MissionSetting{"server_port", "9000", 1, Spelling::number}));
    const MissionBlock* block = mission.find_block("pDepth");
    ASSERT_TRUE(block);
    EXPECT_THAT(block->settings, ElementsAre(MissionSetting{"app_tick", "2.5", 3, Spelling::number},
                                             MissionSetting{"fast", "true", 4, Spelling::boolean},
                                             MissionSetting{"names", "a", 5, Spelling::text},
                                             MissionSetting{"names", "b", 5, Spelling::text}));
    EXPECT_THAT(mission.findings, IsEmpty());
}

TEST(TomlMission, ReadsArraysOfTablesAsSeveralBlocks) {
    const Mission mission = toml("[[program]]\nname = \"b\"\n[[program]]\nname = \"a\"\n");
    ASSERT_EQ(mission.blocks.size(), 2u);
    EXPECT_EQ(mission.blocks[0].find("name")->value, "b");
    EXPECT_EQ(mission.blocks[1].find("name")->line, 4u);
}

TEST(TomlMission, SaysWhereItIsWrong) {
    const Mission broken = toml("a = 1\nb = \n");
    ASSERT_EQ(broken.findings.size(), 1u);
    EXPECT_EQ(broken.findings[0].line, 2u);
    EXPECT_TRUE(has_errors(broken.findings));
    EXPECT_THAT(told(toml("[p]\nwhen = 2026-01-01\n")),
                ElementsAre(HasSubstr("m.toml:2: error: when is a date")));
    for (const char* header : {"[|p]", "[\fp]", "[[", "[]", "\xC3\xA4 = 1"})
        EXPECT_THAT(told(toml(std::string("a = 1\n") + header + "\n")),
                    ElementsAre(HasSubstr("m.toml:2: error: ")))
            << header;
}

TEST(Mission, ChoosesTheFormatByTheName) {
    EXPECT_EQ(parse_mission("a = \"1\"", "x.toml", environment).find("a")->value, "1");
    EXPECT_EQ(parse_mission("a = \"1\"", "x.moos", environment).find("a")->value, "\"1\"");
}

}  // namespace
}  // namespace caribou::bus
