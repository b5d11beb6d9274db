#include "bus/app_settings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace caribou::bus {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using Words = std::vector<std::string>;

/// An app with one parameter of its own, configured by command line and file.
struct Told {
    explicit Told(const Words& words, std::string_view file = "") {
        settings.name = "pDepth";
        declare(parameters, settings);
        parameters.add("MaxDepth", max_depth, {0, 100}, "");
        line = parse_app_command_line(words);
        if (line) result = configure(settings, parameters, *line, parse_moos_mission(file, "m.moos", {}));
    }
    std::string error() const {
        if (!line) return line.error().message;
        return result ? "" : result.error().message;
    }

    AppSettings settings;
    double max_depth = 30;
    Parameters parameters;
    Result<AppCommandLine> line;
    Result<std::vector<std::string>> result;
};

constexpr std::string_view mission =
    "ServerHost = shore\n"
    "ServerPort = 9100\n"
    "MOOSTimeWarp = 2\n"
    "ProcessConfig = pDepth\n"
    "{\n"
    "AppTick = 20\n"
    "MaxDepth = 50\n"
    "IterateMode = 2\n"
    "}\n";

TEST(AppSettings, ComeFromTheFile) {
    const Told told({}, mission);
    ASSERT_EQ(told.error(), "");
    EXPECT_EQ(told.settings.server_host, "shore");
    EXPECT_EQ(told.settings.server_port, 9100);
    EXPECT_EQ(told.settings.time_warp, 2);
    EXPECT_EQ(told.settings.pace().app_tick, 20);
    EXPECT_EQ(told.settings.pace().mode, IterateMode::regular_iterate_and_comms_driven_mail);
    EXPECT_EQ(told.max_depth, 50);
    EXPECT_EQ(told.settings.client_name, "pDepth");
}

TEST(AppSettings, ComeFromTheCommandLineFirstButForTheTicks) {
    const Told told({"--moos_host=here", "--moos_port=9200", "--MaxDepth=60", "--moos_app_tick=1",
                     "--moos_iterate_mode=1", "--moos_max_app_tick=7", "--moos_name=deep", "--moos_no_comms",
                     "--moos_no_sort_mail"},
                    mission);
    ASSERT_EQ(told.error(), "");
    EXPECT_EQ(told.settings.server_host, "here");
    EXPECT_EQ(told.settings.server_port, 9200);
    EXPECT_EQ(told.max_depth, 60);
    EXPECT_EQ(told.settings.app_tick, 20) << "the file goes first";
    EXPECT_EQ(told.settings.iterate_mode, 2) << "the file goes first";
    EXPECT_EQ(told.settings.max_app_tick, 7) << "the file says nothing";
    EXPECT_EQ(told.settings.client_name, "deep");
    EXPECT_FALSE(told.settings.use_comms);
    EXPECT_FALSE(told.settings.sort_mail_by_time);
}

TEST(AppSettings, ReadTheBlockThatTheCommandLineNames) {
    const Told told({"--moos_app_name=pOther"}, "ProcessConfig = pOther\n{\nMaxDepth = 5\n}\n");
    EXPECT_EQ(told.error(), "");
    EXPECT_EQ(told.max_depth, 5);
    EXPECT_EQ(told.settings.client_name, "pOther");
}

TEST(AppSettings, ReadTheBlockOfTheirAliasOrThatOfTheProgram) {
    const char* const two =
        "ProcessConfig = pDepth\n{\nMaxDepth = 5\n}\nProcessConfig = pDepth_B\n{\nMaxDepth = 7\n}\n";
    const Told second({"m.moos", "pDepth_B"}, two);
    EXPECT_EQ(second.error(), "");
    EXPECT_EQ(second.max_depth, 7) << "as pAntler starts `Run = pDepth ~ pDepth_B`";
    EXPECT_EQ(second.settings.name, "pDepth_B");
    EXPECT_EQ(second.settings.client_name, "pDepth_B");
    EXPECT_EQ(Told({"m.moos", "pDepth_C"}, two).max_depth, 5);
}

TEST(AppSettings, WarnOfAMissionWithoutTheirBlock) {
    const Told told({}, "ProcessConfig = pDpeth\n{\nMaxDepth = 5\n}\n");
    EXPECT_THAT(
        *told.result,
        ElementsAre("m.moos:1: warning: there is no block `ProcessConfig = pDepth`, so that all parameters "
                    "have their defaults; did you mean `pDpeth`?"));
}

TEST(AppSettings, SayEverythingThatIsWrongAtOnce) {
    const Told told({"--MaxDepth=abyss", "--Maxdeth=1"},
                    "ServerPort = 99999\nProcessConfig = pDepth\n{\nApTick = 1\n}\n");
    EXPECT_THAT(
        told.error(),
        AllOf(HasSubstr("m.moos:1: error: ServerPort is `99999`; expected a whole number from 1 to"),
              HasSubstr("m.moos:4: error: no parameter `ApTick`; did you mean `AppTick`?"),
              HasSubstr("word 1 of the command line: MaxDepth is `abyss`"),
              HasSubstr("word 2 of the command line: no parameter `Maxdeth`; did you mean `MaxDepth`?")));
}

TEST(AppSettings, QuestionGlobalsThatLookMisspelt) {
    const Told told({}, "ServerProt = 9100\nLatOrigin = 43\n");
    ASSERT_EQ(told.error(), "");
    EXPECT_THAT(*told.result,
                ElementsAre("m.moos:1: warning: unknown key `ServerProt`; did you mean `ServerPort`?"));
}

TEST(AppCommandLine, TakesFileAndNameAsFreeWords) {
    const auto line = parse_app_command_line(Words{"alpha.moos", "pDepth_2"});
    ASSERT_TRUE(line);
    EXPECT_EQ(line->mission, "alpha.moos");
    EXPECT_EQ(line->app_name, "pDepth_2");
    EXPECT_EQ(parse_app_command_line(Words{"--moos_file=b.moos"})->mission, "b.moos");
    EXPECT_FALSE(parse_app_command_line(Words{"a", "b", "c"}));
}

TEST(AppCommandLine, KnowsWhatIsWished) {
    EXPECT_EQ(parse_app_command_line(Words{})->wish, AppCommandLine::Wish::run);
    for (const char* const word : {"--help", "--moos_help", "-h"})
        EXPECT_EQ(parse_app_command_line(Words{word})->wish, AppCommandLine::Wish::help);
    for (const char* const word : {"--version", "--moos_print_version", "-v"})
        EXPECT_EQ(parse_app_command_line(Words{word})->wish, AppCommandLine::Wish::version);
    EXPECT_EQ(parse_app_command_line(Words{"-e"})->wish, AppCommandLine::Wish::example);
    EXPECT_EQ(parse_app_command_line(Words{"-i"})->wish, AppCommandLine::Wish::parameters);
    EXPECT_EQ(parse_app_command_line(Words{"--alias=pNav_A"})->app_name, "pNav_A");
    EXPECT_EQ(parse_app_command_line(Words{"--moos_print_example"})->wish, AppCommandLine::Wish::example);
    EXPECT_THAT(app_help("pDepth"),
                AllOf(HasSubstr("pDepth [MISSION [NAME]]"), HasSubstr("--moos_app_tick=…")));
}

TEST(AppCommandLine, GuessesWhatAWrongOptionMeant) {
    EXPECT_THAT(Told({"--moos_prot=1"}).error(), HasSubstr("did you mean `--moos_port`?"));
    EXPECT_THAT(Told({"--moos_port"}).error(), HasSubstr("`--moos_port` needs a value"));
    EXPECT_THAT(Told({"--wild"}).error(), HasSubstr("unknown option `--wild`"));
    EXPECT_THAT(parse_app_command_line(Words{"--moos_suicide_disable", "--moos_no_colour"})->settings,
                IsEmpty());
}

}  // namespace
}  // namespace caribou::bus
