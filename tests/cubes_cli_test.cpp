// Process tests of `caribou cubes`.

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <test_paths.hpp>
#include "child/program.hpp"
#include "platform/temporary_folder.hpp"

namespace caribou::tests {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class CubesCli : public testing::Test {
protected:
    ChildProcess::End cubes(Words words) const {
        words.insert(words.begin(), "cubes");
        words.insert(words.end(), {"--preference", (scratch_ / "preferred").string()});
        return run(words);
    }
    std::string file(const std::string& name, std::string_view text) const {
        return scratch_.write(name, text);
    }

private:
    TemporaryFolder scratch_;
};

TEST_F(CubesCli, ListsCubesAndRemembersThePreferredOne) {
    EXPECT_THAT(cubes({"list"}).out, AllOf(HasSubstr("c0:be:00:00:00:01"), Not(HasSubstr("preferred"))));
    EXPECT_EQ(cubes({"prefer", "c0:be:00:00:00:02"}).code, 0);
    EXPECT_THAT(cubes({"list"}).out, HasSubstr("c0:be:00:00:00:02   -70 dBm  Vector Cube, preferred\n"));
    EXPECT_THAT(cubes({"status"}).out,
                HasSubstr("link         connected c0:be:00:00:00:02, firmware 1.0.0\n"));
    EXPECT_EQ(cubes({"forget"}).code, 0);
    EXPECT_THAT(cubes({"list"}).out, Not(HasSubstr("preferred")));
}

TEST_F(CubesCli, TellsTheLifeOfASubscription) {
    const auto end = cubes({"subscribe", "game", "--expires", "30s"});
    EXPECT_EQ(end.code, 0) << end.err;
    EXPECT_THAT(end.out, AllOf(HasSubstr("game callback: connected, interactable\n"),
                               HasSubstr("   45.000 s  connected_interactable -> switching_to_background"),
                               HasSubstr("   50.500 s  switching_to_background -> connected_background"),
                               HasSubstr("   65.500 s  connected_background -> disconnecting")));
    EXPECT_THAT(cubes({"subscribe", "--background"}).out, Not(HasSubstr("interactable")));
}

TEST_F(CubesCli, ConnectsByDefaultWhereNoCubeIsStored) {
    const auto end = cubes({"subscribe", "game"});
    EXPECT_EQ(end.code, 0) << end.err;
    EXPECT_THAT(end.out, HasSubstr("game callback: connected, interactable\n"));
}

TEST_F(CubesCli, WarnsBeforeItActsByHand) {
    EXPECT_THAT(cubes({"connect"}).out, HasSubstr("treats this as an unexpected connection"));
    EXPECT_THAT(cubes({"disconnect"}).out, AllOf(HasSubstr("treats this as a lost connection"),
                                                 HasSubstr("cli callback: the connection was lost")));
}

TEST_F(CubesCli, PlaysLightsAsTheyAre) {
    EXPECT_THAT(cubes({"flash"}).out, HasSubstr("#ffffff #ffffff #ffffff #ffffff user"));
    EXPECT_THAT(cubes({"lights", in_repository("examples/lights/spinner.json")}).out,
                HasSubstr("#ff00ff #000000 #000000 #"));
    const std::string bad = file("bad.json", "{\"leds\": {\"on_color\": \"gren\"}}");
    const auto end = cubes({"lights", bad});
    EXPECT_EQ(end.code, 1);
    EXPECT_EQ(end.err, bad + ":1:23: no colour is called `gren`; did you mean `green`?\n");
}

TEST_F(CubesCli, WatchesWhatIsMadeToHappen) {
    const auto end = cubes({"watch", "--for", "40s", "--do", "0s:subscribe game", "--do", "20s:tap", "--do",
                            "20.2s:tap", "--do", "25s:shake", "--do", "30s:distance 50"});
    EXPECT_EQ(end.code, 0) << end.err;
    EXPECT_THAT(end.out, AllOf(HasSubstr("the cube: double_tapped"), HasSubstr("the cube: shaken"),
                               HasSubstr("the link was lost: the cube is not heard any more")));
}

TEST_F(CubesCli, RefusesWhatMakesNoSense) {
    EXPECT_EQ(cubes({"lihts"}).code, 2);
    EXPECT_EQ(cubes({"prefer", "abc"}).code, 2);
    EXPECT_EQ(cubes({"watch", "--do", "5:tap"}).code, 2);
    EXPECT_EQ(cubes({"watch", "--for", "soon"}).code, 2);
    const auto end = cubes({"status", "--radio", "none"});
    EXPECT_EQ(end.code, 1);
    EXPECT_THAT(end.err, HasSubstr("there is no radio"));
}

}  // namespace
}  // namespace caribou::tests
