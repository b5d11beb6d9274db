// `caribou pair` as its users meet it.

#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "child/program.hpp"
#include "child/terminal_process.hpp"
#include "link/key_words.hpp"
#include "platform/key_folder.hpp"
#include "platform/temporary_folder.hpp"

namespace caribou::tests {
namespace {

using testing::AllOf;
using testing::HasSubstr;
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

TEST_F(PairCli, TakesOverAKeyFromAFile) {
    ASSERT_EQ(pair({"make", "bot7"}).code, 0);
    const std::string file = scratch.write("words", words_of(key("bot7").key));
    const auto end = pair({"add", "station", "--from", file}, "there");
    EXPECT_EQ(end.code, 0) << end.err;
    EXPECT_EQ(key("station", "there").key, key("bot7").key);
    EXPECT_THAT(end.out, HasSubstr("Paired with station: key " + to_string(id_of(key("bot7").key))));
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
    EXPECT_EQ(end.err, "caribou pair add: the words do not fit together; look at word 3\n");
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
    ASSERT_EQ(pair({"make", "other"}).code, 0);
    const std::string words = scratch.write("words", words_of(key("other").key));
    EXPECT_THAT(pair({"make", "bot7"}).err, HasSubstr("`caribou pair rotate bot7`"));
    EXPECT_THAT(pair({"add", "bot7", "--from", words}).err, HasSubstr("--replace"));
    EXPECT_EQ(pair({"add", "bot7", "--from", words, "--replace"}).code, 0);
    EXPECT_EQ(key("bot7").key, key("other").key);
    EXPECT_EQ(key("bot7").role, link::Role::observe) << "the role stays";
}

TEST_F(PairCli, UnpairsAndSaysWhatThereIsInstead) {
    ASSERT_EQ(pair({"make", "bot7"}).code, 0);
    EXPECT_THAT(pair({"remove", "bot8"}).err, HasSubstr("did you mean `bot7`?"));
    EXPECT_EQ(pair({"remove", "bot7"}).code, 0);
    EXPECT_FALSE(std::filesystem::exists(scratch / "here/bot7.key"));
}

TEST_F(PairCli, RefusesWordsThatMakeNoSense) {
    EXPECT_EQ(pair({"make", "../bot7"}).code, 2);
    EXPECT_EQ(pair({"make", "bot7", "--role", "driver"}).code, 2);
    EXPECT_EQ(pair({}).code, 2);
    EXPECT_THAT(pair({"mkae", "bot7"}).err, HasSubstr("did you mean `make`?"));
}

}  // namespace
}  // namespace caribou::tests
