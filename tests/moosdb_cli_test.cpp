// The tools on a broker that supports only the requests of a MOOSDB.

#include <signal.h>

#include <fstream>
#include <iterator>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "child/original_requests.hpp"
#include "child/program.hpp"
#include "platform/temporary_folder.hpp"

namespace caribou::tests {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::StartsWith;

class OnMoosDb : public testing::Test {
protected:
    OnMoosDb() : db_(command({"db", "--port", "0", "--quiet"})), port_(port_of(db_)), moosdb_(port_) {
        EXPECT_EQ(tests::run({"poke", "NAV_X=1.5", "--port", port_}).code, 0);
    }
    static std::string port_of(ChildProcess& db) {
        const std::string line = db.read_line(limit).value_or(":0");
        return line.substr(line.rfind(':') + 1);
    }
    ChildProcess::End run(Words words, Duration within = limit) {
        words.insert(words.end(), {"--port", moosdb_.port()});
        ChildProcess program(command(words));
        auto end = moosdb_.relay_until_end(program, within);
        return end ? std::move(*end) : ChildProcess::End{-1, "", "it does not end"};
    }

    ChildProcess db_;
    std::string port_;
    OriginalRequests moosdb_;
    TemporaryFolder folder_;
};

TEST_F(OnMoosDb, ScopePrintsOnce) {
    const auto table = run({"scope", "NAV", "--once"});
    EXPECT_EQ(table.code, 0) << table.err;
    EXPECT_THAT(table.out, AllOf(StartsWith("VARIABLE "), HasSubstr("\nNAV_X "), HasSubstr(" D 1.5\n")));
    EXPECT_THAT(run({"scope", "NAV", "--json"}).out, HasSubstr(R"("variable":"NAV_X")"));
    EXPECT_THAT(run({"scope", "NAV"}).out, HasSubstr("\nNAV_X ")) << "in a pipe";
}

TEST_F(OnMoosDb, ClientsShowsWhatIsUnknownAsUnknown) {
    ChildProcess watch(command({"watch", "NAV_X", "--name", "watcher", "--port", port_}));
    ASSERT_TRUE(watch.read_line(limit));
    const auto table = run({"clients"});
    EXPECT_EQ(table.code, 0) << table.err;
    EXPECT_THAT(table.out, testing::ContainsRegex("watcher +- +- +1 +0 +- +- +- +-\n"));
    EXPECT_THAT(run({"clients", "--json"}).out,
                HasSubstr(R"("name":"watcher","peer":null,"mode":null,"subscribed":1,"published":0,)"
                          R"("messages_in":null)"));
}

TEST_F(OnMoosDb, RecordEndsWhenItIsToldTo) {
    const std::string log = folder_ / "log";
    const auto recorded = run({"record", "DB_UPTIME", "-o", log, "--seconds", "1s"});
    EXPECT_EQ(recorded.code, 0) << recorded.err;
    std::ifstream file(log + ".alog");
    double last = 0;
    for (std::string line; std::getline(file, line);)
        if (!line.starts_with('%') && !line.empty()) last = std::stod(line);
    // The broker writes DB_UPTIME every two seconds.
    EXPECT_LT(last, 1.9);
}

/// Like `timeout -s INT`, which signals the program and its group.
TEST_F(OnMoosDb, RecordWritesItsEndWhenItIsInterruptedTwice) {
    for (int i = 0; i < 10; ++i) {
        const std::string log = folder_ / ("twice" + std::to_string(i));
        ChildProcess record(command({"record", "-o", log, "--port", port_}));
        ASSERT_TRUE(record.read_line(limit));
        EXPECT_EQ(tests::run({"poke", "LAST=7", "--port", port_}).code, 0);
        record.signal(SIGINT);
        record.signal(SIGINT);
        const auto end = end_of(record);
        EXPECT_EQ(end.code, 0) << end.err;
        EXPECT_THAT(end.out, HasSubstr(" values, "));
        std::ifstream file(log + ".alog");
        const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
        EXPECT_THAT(text, HasSubstr(" LAST "));
    }
}

TEST(ScopeAfterRestart, ShowsValuesThatWereKept) {
    const TemporaryFolder folder;
    const Words words{"db", "--port", "0", "--quiet", "--data", folder / "values"};
    for (int life = 0; life < 2; ++life) {
        ChildProcess db(command(words));
        const std::string line = db.read_line(limit).value_or(":0");
        const std::string port = line.substr(line.rfind(':') + 1);
        if (life == 0) {
            ASSERT_EQ(run({"poke", "NAV_X=1.5", "--port", port}).code, 0);
        }
        const auto table = run({"scope", "NAV", "--once", "--port", port});
        EXPECT_THAT(table.out, testing::ContainsRegex("NAV_X +poke_[0-9]+ +[0-9.]+[a-z]* +[-0-9.]+ D 1.5\n"));
        EXPECT_THAT(run({"scope", "NAV", "--json", "--port", port}).out,
                    AllOf(HasSubstr(R"("value":1.5)"), testing::Not(HasSubstr(R"("age":null)"))));
        db.signal(SIGTERM);
        EXPECT_EQ(end_of(db).code, 0);
    }
}

}  // namespace
}  // namespace caribou::tests
