// Process tests of `caribou pair`.

#include <sys/stat.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "adapters/keys/key_folder.hpp"
#include "child/program.hpp"
#include "child/terminal_process.hpp"
#include "link/key_words.hpp"
#include "platform/temporary_folder.hpp"

namespace caribou::tests {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;

class PairCli : public testing::Test {
protected:
    ChildProcess::End pair(const Words& words, const std::string& keys = "here") const {
        Words all{"pair", "--keys", scratch / keys};
        all.insert(all.end(), words.begin(), words.end());
        return run(all);
    }
    link::PairedKey key(const std::string& name, const std::string& keys = "here") const {
        return *KeyFolder(scratch / keys).read(name);
    }

    TemporaryFolder scratch;
};

TEST_F(PairCli, MakesAKeyThatItsOwnerAloneCanRead) {
    const auto end = pair({"make", "bot7", "--role", "admin", "--qr"});
    EXPECT_EQ(end.code, 0) << end.err;
    EXPECT_EQ(key("bot7").role, link::Role::admin);
    EXPECT_THAT(end.out, HasSubstr(words_of(key("bot7").key).substr(0, 34)));
    EXPECT_THAT(end.out, HasSubstr("█▀▀▀▀▀█"));
    struct stat status{};
    ASSERT_EQ(::stat((scratch / "here/bot7.key").c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777U, 0600);
}

TEST_F(PairCli, SaysHowToMakeAnAdmin) {
    EXPECT_THAT(pair({"make", "bot7"}).out,
                AllOf(HasSubstr("bot7 may drive"), HasSubstr("`caribou pair make NAME --role admin`")));
    EXPECT_THAT(pair({"make", "bot8", "--role", "admin"}).out, Not(HasSubstr("--role admin")));
}

TEST_F(PairCli, TakesOverAKeyFromAFile) {
    ASSERT_EQ(pair({"make", "bot7"}).code, 0);
    const std::string file = scratch.write("words", words_of(key("bot7").key));
    const auto end = pair({"add", "station", "--from", file}, "there");
    EXPECT_EQ(end.code, 0) << end.err;
    EXPECT_EQ(key("station", "there").key, key("bot7").key);
    EXPECT_THAT(end.out, AllOf(HasSubstr("Paired with station: key " + to_string(id_of(key("bot7").key))),
                               HasSubstr("station has the role drive; `--replace --role admin`")));
}

TEST_F(PairCli, TakesOverAKeyThatIsTyped) {
    ASSERT_EQ(pair({"make", "bot7"}).code, 0);
    TerminalProcess other(command({"pair", "--keys", scratch / "there", "add", "station"}));
    ASSERT_TRUE(other.shows("Type the 15 words", limit));
    other.press(words_of(key("bot7").key) + "\n");
    EXPECT_TRUE(other.shows("Paired with station", limit));
    EXPECT_EQ(other.wait(limit), 0);
    EXPECT_EQ(key("station", "there").key, key("bot7").key);
}

TEST_F(PairCli, SaysWhichWordIsMistypedAndKeepsNothing) {
    ASSERT_EQ(pair({"make", "bot7"}).code, 0);
    std::string words = words_of(key("bot7").key);
    words[14] = words[14] == 'b' ? 'd' : 'b';
    const auto end = pair({"add", "station", "--from", scratch.write("words", words)}, "there");
    EXPECT_EQ(end.code, 1);
    // With some keys a change in another word would fit, too.
    EXPECT_THAT(end.err, MatchesRegex("caribou pair add: the words do not fit together; look at word "
                                      "([0-9]+ or )*3( or [0-9]+)*\n"));
    EXPECT_FALSE(std::filesystem::exists(scratch / "there"));
}

TEST_F(PairCli, ListsKeysWithoutTheirSecrets) {
    ASSERT_EQ(pair({"make", "bot7"}).code, 0);
    const auto end = pair({"list"});
    EXPECT_THAT(end.out,
                AllOf(HasSubstr("bot7"), HasSubstr("drive"), HasSubstr(to_string(id_of(key("bot7").key)))));
    EXPECT_THAT(end.out, Not(HasSubstr(words_of(key("bot7").key).substr(0, 6))));
}

TEST_F(PairCli, RefusesAFileThatOthersCanRead) {
    ASSERT_EQ(pair({"make", "bot7"}).code, 0);
    ASSERT_EQ(::chmod((scratch / "here/bot7.key").c_str(), 0644), 0);
    for (const Words& words : {Words{"show", "bot7"}, {"list"}, {"rotate", "bot7"}}) {
        const auto end = pair(words);
        EXPECT_EQ(end.code, 1);
        EXPECT_THAT(end.err, HasSubstr("may be read or written by others (mode 644)"));
    }
}

TEST_F(PairCli, RotatesInTwoSteps) {
    ASSERT_EQ(pair({"make", "bot7"}).code, 0);
    const auto old = key("bot7");
    EXPECT_EQ(pair({"rotate", "bot7"}).code, 0);
    EXPECT_NE(key("bot7").key, old.key);
    EXPECT_THAT(pair({"list"}).out, HasSubstr(to_string(id_of(old.key))));
    EXPECT_THAT(pair({"rotate", "bot7"}).err, HasSubstr("`caribou pair rotate bot7 --finish` forgets it"));
    EXPECT_EQ(pair({"rotate", "bot7", "--finish"}).code, 0);
    EXPECT_THAT(pair({"list"}).out, Not(HasSubstr(to_string(id_of(old.key)))));
    EXPECT_EQ(pair({"rotate", "bot7", "--finish"}).code, 1);
}

TEST_F(PairCli, ReplacesAKeyOnlyWhenTold) {
    ASSERT_EQ(pair({"make", "bot7", "--role", "observe"}).code, 0);
    ASSERT_EQ(pair({"make", "other"}, "there").code, 0);
    const std::string words = scratch.write("words", words_of(key("other", "there").key));
    EXPECT_THAT(pair({"make", "bot7"}).err, HasSubstr("`caribou pair rotate bot7`"));
    EXPECT_THAT(pair({"add", "bot7", "--from", words}).err, HasSubstr("--replace"));
    EXPECT_EQ(pair({"add", "bot7", "--from", words, "--replace"}).code, 0);
    EXPECT_EQ(key("bot7").key, key("other", "there").key);
    EXPECT_EQ(key("bot7").role, link::Role::observe) << "the role stays";
}

TEST_F(PairCli, UnpairsAndSaysWhatThereIsInstead) {
    ASSERT_EQ(pair({"make", "bot7"}).code, 0);
    EXPECT_THAT(pair({"remove", "bot8"}).err, HasSubstr("did you mean `bot7`?"));
    EXPECT_EQ(pair({"remove", "bot7"}).code, 0);
    EXPECT_FALSE(std::filesystem::exists(scratch / "here/bot7.key"));
}

TEST_F(PairCli, TouchesNothingOutsideItsFolder) {
    ASSERT_EQ(pair({"make", "bot7"}, "there").code, 0);
    ASSERT_EQ(pair({"rotate", "bot7"}, "there").code, 0);
    ASSERT_EQ(pair({"make", "bot8"}).code, 0);
    for (const Words& words : {Words{"remove", "../there/bot7"},
                               {"rotate", "../there/bot7"},
                               {"rotate", "../there/bot7", "--finish"},
                               {"show", "../there/bot7"},
                               {"make", "../there/bot9"},
                               {"add", "../there/bot9", "--from", "/dev/null"},
                               {"remove", (scratch / "there/bot7").string()}}) {
        const auto end = pair(words);
        EXPECT_EQ(end.code, 2) << words[0];
        EXPECT_THAT(end.err, HasSubstr("is not a valid name")) << words[0];
    }
    EXPECT_TRUE(std::filesystem::exists(scratch / "there/bot7.key"));
    EXPECT_TRUE(std::filesystem::exists(scratch / "there/bot7.previous.key"));
    EXPECT_FALSE(std::filesystem::exists(scratch / "there/bot9.key"));
}

TEST_F(PairCli, RefusesWordsThatMakeNoSense) {
    EXPECT_EQ(pair({"make", "../bot7"}).code, 2);
    EXPECT_EQ(pair({"make", "bot7", "--role", "driver"}).code, 2);
    EXPECT_EQ(pair({}).code, 2);
    EXPECT_THAT(pair({"mkae", "bot7"}).err, HasSubstr("did you mean `make`?"));
}

/// A robot and a station as users start them, each with its own keys.
class PairedPrograms : public PairCli {
protected:
    void SetUp() override {
        ASSERT_EQ(pair({"make", "rover", "--role", "admin"}, "of_station").code, 0);
        const std::string words = scratch.write("words", words_of(key("rover", "of_station").key));
        ASSERT_EQ(pair({"add", "station", "--from", words, "--role", "admin"}, "of_robot").code, 0);
    }
    /// Returns environment settings for the keys and the state.
    Words environment(const std::string& keys) const {
        return {"CARIBOU_KEYS=" + (scratch / keys).string(),
                "XDG_STATE_HOME=" + (scratch / "state").string()};
    }
    static std::string last_word(ChildProcess& program) {
        const std::string line = program.read_line(limit).value_or("");
        return line.substr(line.rfind(' ') + 1);
    }
    void start_station(const std::string& keys) {
        const std::string at = calls_at.empty() ? "127.0.0.1:0" : calls_at;
        station = std::make_unique<ChildProcess>(
            command({"station", "--quiet", "--listen", at, "--web", "127.0.0.1:0"}), environment(keys));
        calls_at = last_word(*station);
        asked_at = last_word(*station);
        asked_at = asked_at.substr(7, asked_at.size() - 8);  // http://…/
    }
    void start_robot(const std::string& keys, const std::string& handshake_limit = "60") {
        const std::string config = scratch.write(
            "robot.toml",
            "name = \"rover\"\nReceivePort = 0\nconnect_to_me = 0.2\nlog_level = \"warning\"\n"
            "handshake_limit = " +
                handshake_limit + "\nSendPort = " + calls_at.substr(calls_at.rfind(':') + 1) + "\n");
        robot = std::make_unique<ChildProcess>(command({"robot", "--config", config}), environment(keys));
    }
    /// Waits until it prints its address and mode.
    std::string wait_for_robot() {
        const std::string line = robot->read_line(limit).value_or("");
        listens_at = "127.0.0.1:" + line.substr(line.rfind(' ') + 1);
        return line;
    }
    ChildProcess::End tell(const Words& command_words) const {
        Words words{"send", "rover"};
        words.insert(words.end(), command_words.begin(), command_words.end());
        words.insert(words.end(), {"--station", asked_at});
        return run(words, environment("of_station"));
    }
    ChildProcess::End ask(const std::string& keys) const {
        ChildProcess child(command({"cubes", "ask", "status", "--robot", listens_at}), environment(keys));
        return end_of(child);
    }

    std::unique_ptr<ChildProcess> station;
    std::unique_ptr<ChildProcess> robot;
    std::string calls_at;
    std::string asked_at;
    std::string listens_at;
};

TEST_F(PairedPrograms, TalkByTheirKeyAndFindEachOtherAgain) {
    start_station("of_station");
    start_robot("of_robot");
    ASSERT_THAT(wait_for_robot(), HasSubstr("rover is ready in RM3"));
    EXPECT_THAT(tell({"move_forward", "level=1"}).err, HasSubstr("STOPPED"))
        << "paired before its first start";
    EXPECT_EQ(tell({"release_stop"}).out, "DONE\n");
    EXPECT_EQ(tell({"move_forward", "level=1"}).out, "DONE\n");
    EXPECT_EQ(ask("of_robot").code, 0);
    EXPECT_THAT(ask("of_nobody").err, HasSubstr("which key of"));
    start_robot("of_robot");  // the other one was killed
    ASSERT_THAT(wait_for_robot(), HasSubstr("rover is ready in RM3"));
    EXPECT_EQ(tell({"ping"}).out, "DONE\n");
    EXPECT_THAT(std::ifstream(scratch / "state/caribou/rover.link").good(), true);
}

TEST_F(PairedPrograms, LetARobotInThatHasLostItsStateAndItsClock) {
    // As if the clock had been far ahead: all later starts have lower numbers.
    std::filesystem::create_directories(scratch / "state/caribou");
    scratch.write("state/caribou/rover.link", "boot = 4000000000000\nstation = \"\"\n");
    start_station("of_station");
    start_robot("of_robot");
    ASSERT_THAT(wait_for_robot(), HasSubstr("rover is ready in RM3"));
    EXPECT_EQ(tell({"ping"}).out, "DONE\n");
    robot->signal(SIGKILL);
    end_of(*robot);
    std::filesystem::remove_all(scratch / "state");
    start_robot("of_robot");
    ASSERT_THAT(wait_for_robot(), HasSubstr("rover is ready in RM3"));
    EXPECT_EQ(tell({"ping"}).out, "DONE\n");
    EXPECT_THAT(tell({"status"}).out, HasSubstr("stopped by state_lost"));
}

TEST_F(PairedPrograms, NeedNoPairingForOneUserOnOneMachine) {
    start_station("shared");
    start_robot("shared");
    ASSERT_THAT(wait_for_robot(), HasSubstr("rover is ready in RM3"));
    EXPECT_EQ(tell({"move_forward", "level=1"}).out, "DONE\n");
    EXPECT_EQ(ask("shared").code, 0);
    EXPECT_EQ(key("rover", "shared").role, link::Role::admin);
}

TEST_F(PairedPrograms, FindTheKeyOfARobotAmongThoseOfOthers) {
    for (const std::string name : {"explorer", "zebra"})
        ASSERT_EQ(pair({"make", name, "--role", "admin"}, "shared").code, 0);
    start_station("shared");
    start_robot("shared");
    ASSERT_THAT(wait_for_robot(), HasSubstr("rover is ready in RM3"));
    const auto asked = ask("shared");
    EXPECT_EQ(asked.code, 0) << asked.err;
    ASSERT_EQ(pair({"make", "patrol"}, "of_others").code, 0);
    ASSERT_EQ(pair({"make", "pat"}, "of_others").code, 0);
    EXPECT_THAT(ask("of_others").err, HasSubstr("it accepts none of the keys in"));
    robot.reset();
    EXPECT_THAT(ask("shared").err, HasSubstr("anyone listening"));
}

TEST_F(PairedPrograms, PrintTheirAnswersInOrderIntoOnePipe) {
    start_station("shared");
    start_robot("shared");
    ASSERT_THAT(wait_for_robot(), HasSubstr("rover is ready in RM3"));
    ASSERT_EQ(tell({"map", "line=place far at 11,11"}).code, 0);
    const std::string send = "XDG_STATE_HOME=" + (scratch / "state").string() + " " + program_path() +
                             " send rover go place=far --station " + asked_at + " 2>&1";
    ChildProcess both({"/bin/sh", "-c", send});
    EXPECT_THAT(end_of(both).out, MatchesRegex("ACCEPTED: .*\nFAILED: .* in 3 tries: .*\n"));
}

TEST_F(PairedPrograms, KeepOthersOut) {
    start_station("of_others");
    start_robot("of_robot", "0.5");
    ASSERT_THAT(wait_for_robot(), HasSubstr("rover is ready in RM1"));  // no station has connected
    EXPECT_THAT(tell({"ping"}).err, HasSubstr("there is no robot `rover` here"));
    ASSERT_EQ(pair({"make", "rover"}, "of_others").code, 0);
    const auto refused = ask("of_others");
    EXPECT_EQ(refused.code, 1);
    EXPECT_THAT(refused.err, HasSubstr("the other side does not have this key"));
}

TEST_F(PairedPrograms, SayWhatToDoWithoutAKey) {
    const std::string robot_file = scratch.write("far.toml", "name = \"rover\"\nServerIP = \"192.0.2.1\"\n");
    const auto robot_end = run({"robot", "--config", robot_file, "--keys", scratch / "none"});
    EXPECT_EQ(robot_end.code, 1);
    EXPECT_THAT(robot_end.err,
                AllOf(HasSubstr("no key for `station`"), HasSubstr("caribou pair make rover")));
    const std::string station_file = scratch.write("station.toml", "listen = \"0.0.0.0:0\"\n");
    const auto station_end = run({"station", "--config", station_file, "--keys", scratch / "none"});
    EXPECT_EQ(station_end.code, 1);
    EXPECT_THAT(station_end.err, AllOf(HasSubstr("no keys in"), HasSubstr("caribou pair make ROBOT")));
}

TEST_F(PairCli, TakesNoKeyTwice) {
    ASSERT_EQ(pair({"make", "bot7"}).code, 0);
    const std::string words = scratch.write("words", words_of(key("bot7").key));
    EXPECT_THAT(pair({"add", "station", "--from", words}).err, HasSubstr("need no pairing"));
}

}  // namespace
}  // namespace caribou::tests
