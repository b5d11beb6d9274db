// Invalid command lines, and help.

#include <csignal>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <test_paths.hpp>
#include "child/program.hpp"

namespace caribou::tests {
namespace {

using testing::HasSubstr;

struct Refused {
    Words words;
    std::string why;
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
        Refused{{"help", "bd"}, "unknown command `bd`; did you mean `db`?"}));

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

TEST(Messages, NameTheProgramAsItWasStarted) {
    const auto end = run({"poke", "X=1", "--port", "1"});
    EXPECT_THAT(end.err, HasSubstr("Start one with `" + in_build("caribou") + " db`"));
}

}  // namespace
}  // namespace caribou::tests
