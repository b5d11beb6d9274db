// Invalid command lines, and help.

#include <csignal>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <test_paths.hpp>
#include "child/program.hpp"
#include "platform/temporary_folder.hpp"
#include "platform/text_file.hpp"

namespace caribou::tests {
namespace {

using testing::HasSubstr;

struct Refused {
    Words words;
    std::string why;

    friend void PrintTo(const Refused& refused, std::ostream* out) {
        for (const std::string& word : refused.words) *out << word << " ";
    }
};
class Usage : public testing::TestWithParam<Refused> {};

TEST_P(Usage, IsRefusedWithTheReason) {
    const auto end = run(GetParam().words);
    EXPECT_EQ(end.code, 2) << end.out << end.err;
    EXPECT_THAT(end.err, HasSubstr(GetParam().why));
}

INSTANTIATE_TEST_SUITE_P(
    All, Usage,
    testing::Values(
        Refused{{"demo", "--port", "99999"}, "--port: `99999` is not a whole number from 0 to 65535"},
        Refused{{"demo", "--port", "-5"}, "--port: `-5` is not a whole number from 0 to 65535"},
        Refused{{"route", "load", "rover", "1,0", "--level", "9"},
                "--level: `9` is not a whole number from 1 to 3"},
        Refused{{"route", "load", "rover", "1,0", "--rounds", "x"},
                "--rounds: `x` is not a whole number from 0 to 1000000"},
        Refused{{"demo", "--robots", "0"}, "--robots: `0` is not a whole number from 1 to 200"},
        Refused{{"tree", "run", "a.json", "--ticks", "-1"}, "--ticks: `-1` is not a whole number from 1"},
        Refused{{"topics", "echo", "/a", "--count", "-1"}, "--count: `-1` is not a whole number from 1"},
        Refused{{"topics", "list", "--transport", "foo"}, "--transport: `foo` is not `bus` or `dds`"},
        Refused{{"db", "--data", "d", "--durability", "never"},
                "--durability: `never` is not `batched` or `always`"},
        Refused{{"scope", "--sort", "nam"},
                "`nam` is not `name`, `age`, `rate` or `source`; did you mean `name`?"},
        Refused{{"world", "new", "--side", "0"}, "--side: `0` is not a number from 4 to 50"},
        Refused{{"db", "--listen", "999.1.1.1"}, "--listen: `999.1.1.1` is not an address"},
        Refused{{"station", "--listen", "abc"}, "--listen: address 'abc': the port is missing"},
        Refused{{"station", "--web", "1.2.3.4:x"}, "--web: address '1.2.3.4:x'"},
        Refused{{"robots", "--station", "abc"}, "--station: address 'abc': the port is missing"},
        Refused{{"sim", "--seed", "abc"}, "--seed: `abc` is not a whole number from 0"},
        Refused{{"sim", "--hours", "x"}, "--hours: `x` is not a number from 0.001"},
        Refused{{"uXMS", "--port", "1"}, "unknown command `uXMS`; did you mean `caribou scope`?"},
        Refused{{"nsplug"}, "did you mean `caribou mission expand`?"},
        Refused{{"help", "bd"}, "unknown command `bd`; did you mean `db`?"}));

TEST(Arguments, MayBeNamesOfCommands) {
    for (const char* const word : {"db", "helm", "mission"}) {
        const auto end = run({"scope", word, "--port", "1"});
        EXPECT_EQ(end.code, 1) << end.out;
        EXPECT_THAT(end.err, HasSubstr("caribou scope: error: no broker answers")) << word;
    }
    EXPECT_THAT(run({"mission", "check", "check"}).err, HasSubstr("check: no such file"));
}

TEST(Missions, OfOurOwnAreReadWithoutAWarning) {
    // The option overrides the mission's port, which may be in use.
    ChildProcess broker(command({"db", in_repository("examples/missions/depth.moos"), "--port", "0"}));
    EXPECT_TRUE(broker.read_line(limit));
    broker.signal(SIGTERM);
    const auto end = end_of(broker);
    EXPECT_EQ(end.code, 0);
    EXPECT_THAT(end.err, testing::Not(HasSubstr("unknown key")));
}

TEST(Help, HasUsageLinesThatCanBeTyped) {
    EXPECT_THAT(run({"demo", "--help"}).out, HasSubstr("Usage: caribou demo [OPTIONS]"));
    EXPECT_THAT(run({"tree", "run", "--help"}).out, HasSubstr("Usage: caribou tree run [OPTIONS]"));
    EXPECT_EQ(run({"help", "db"}).out, run({"db", "--help"}).out);
    EXPECT_EQ(run({"help"}).out, run({"--help"}).out);
}

TEST(Help, OfARouteShowsItsPoints) {
    EXPECT_THAT(run({"route", "load", "--help"}).out, HasSubstr("caribou route load rover 1,0"));
}

TEST(Pictures, WithoutAFolderAreRefusedBeforeTheRun) {
    const auto end = run({"sim", "--hours", "10000", "--png", "/nonexistent/map.png"});
    EXPECT_EQ(end.code, 1);
    EXPECT_THAT(end.err, HasSubstr("--png: there is no folder /nonexistent"));
}

TEST(ManPages, HaveASynopsis) {
    const TemporaryFolder folder;
    ASSERT_EQ(run({"manual", folder.path()}).code, 0);
    const std::string page = read_text_file(folder / "caribou-route.1").value();
    EXPECT_THAT(page, HasSubstr(".SH SYNOPSIS\n"));
    EXPECT_THAT(page, HasSubstr(".B caribou route load\n[OPTIONS] ROBOT\n"));
}

TEST(Messages, NameTheProgramAsItWasStarted) {
    const auto end = run({"poke", "X=1", "--port", "1"});
    EXPECT_THAT(end.err, HasSubstr("Start one with `" + program_path() + " db`"));
}

}  // namespace
}  // namespace caribou::tests
