// A simulated boat on the real programs: `caribou launch` of the mission in examples/missions.

#include <signal.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/geometry.hpp"
#include "base/log.hpp"
#include "bus/client.hpp"
#include "child/program.hpp"
#include "platform/event_loop.hpp"
#include "platform/socket_network.hpp"
#include "platform/temporary_folder.hpp"

namespace caribou::tests {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

std::string text_of_file(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::string replaced(std::string text, std::string_view what, std::string_view with) {
    const std::size_t at = text.find(what);
    if (at != std::string::npos) text.replace(at, what.size(), with);
    return text;
}

/// The mission harbor.moos, twenty times as fast, at a broker on a free port.
class Harbor : public testing::Test {
protected:
    Harbor() : db_(command({"db", "--port", "0", "--time-warp", "20", "--community", "abe", "--quiet"})) {
        const std::string line = db_.read_line(limit).value_or(":0");
        port_ = line.substr(line.rfind(':') + 1);
        folder_.write("harbor.json", text_of_file(in_repository("examples/missions/harbor.json")));
        std::string mission = text_of_file(in_repository("examples/missions/harbor.moos"));
        mission = replaced(mission, "ServerPort    = 9000", "ServerPort = " + port_);
        mission = replaced(mission, "MOOSTimeWarp  = 2", "MOOSTimeWarp = 20");
        mission = replaced(mission, "  Run = MOOSDB\n", "");
        mission_ = folder_.write("harbor.moos", mission);
        launch_.emplace(command({"launch", mission_}));
        client_.emplace(
            loop_, network_,
            bus::ClientOptions{.name = "vec", .broker = Address::parse("127.0.0.1:" + port_).value()});
        client_->on_other_mail([this](const wire::MessageView& message) {
            if (message.is_number()) numbers_[std::string(message.key)] = message.value;
            if (message.is_string()) texts_[std::string(message.key)] = message.payload;
        });
        for (const char* const variable : {"NAV_X", "NAV_Y", "NAV_SPEED", "IVPHELM_STATE",
                                           "IVPHELM_BHV_ACTIVE", "NODE_REPORT_LOCAL", "VIEW_SEGLIST"})
            EXPECT_TRUE(client_->register_variable(variable));
        EXPECT_TRUE(client_->start());
    }
    ~Harbor() override {
        launch_->signal(SIGINT);
        EXPECT_EQ(end_of(*launch_).code, 0);
    }

    /// With the time warp of the broker, which the tool adopts; the helm ignores values of another time.
    void tell(const std::string& poke) { EXPECT_EQ(run({"poke", poke, "--port", port_}).code, 0); }
    bool until(auto is_true) { return loop_.run_until(is_true, limit); }
    bool comes_to(Vec2 place) {
        return until([&] { return distance({numbers_["NAV_X"], numbers_["NAV_Y"]}, place) < 8; });
    }

    NullLog log_;
    EventLoop loop_;
    SocketNetwork network_{loop_, log_};
    TemporaryFolder folder_;
    ChildProcess db_;
    std::string port_;
    std::string mission_;
    std::optional<ChildProcess> launch_;
    std::optional<bus::Client> client_;
    std::map<std::string, double> numbers_;
    std::map<std::string, std::string> texts_;
};

TEST_F(Harbor, ABoatPassesItsWayPointsByItselfLoitersAndReturns) {
    ASSERT_TRUE(until([&] { return texts_["IVPHELM_STATE"] == "DRIVE"; }));
    EXPECT_TRUE(comes_to({60, -40}));
    EXPECT_THAT(texts_["VIEW_SEGLIST"], HasSubstr("label=abe_survey"));
    EXPECT_THAT(texts_["NODE_REPORT_LOCAL"], HasSubstr("NAME=abe,X="));
    EXPECT_TRUE(comes_to({60, -160}));
    tell("LOITER=true");
    EXPECT_TRUE(until([&] { return texts_["IVPHELM_BHV_ACTIVE"] == "loiter"; }));
    EXPECT_TRUE(until([&] {
        const Vec2 at{numbers_["NAV_X"], numbers_["NAV_Y"]};
        return std::abs(distance(at, {90, -100}) - 40) < 8;
    }));
    tell("RETURN=true");
    EXPECT_TRUE(comes_to({0, -20}));
    EXPECT_TRUE(until([&] { return numbers_["NAV_SPEED"] < 0.2; }));
}

TEST(HelmCli, ReportsWhatIsWrongWithItsTree) {
    TemporaryFolder folder;
    const std::string document = text_of_file(in_repository("docs/marine.md"));
    const std::size_t begin = document.find("```json\n") + 8;
    const std::string tree = document.substr(begin, document.find("```", begin) - begin);
    const auto mission = [&](const std::string& name, const std::string& file) {
        // No broker listens there: the tree is read before.
        return folder.write(name, "ServerPort = 1\nProcessConfig = helm\n{\n  behaviors = " + file + "\n}\n");
    };
    folder.write("bad.json", replaced(tree, "\"speed\"", "\"sped\""));
    const auto bad = run({"helm", mission("bad.moos", "bad.json")});
    EXPECT_EQ(bad.code, 2);
    EXPECT_THAT(bad.err, HasSubstr("bad.json:6:"));
    EXPECT_THAT(bad.err, HasSubstr("did you mean `speed`?"));
    EXPECT_EQ(run({"helm", folder.write("none.moos", "ProcessConfig = helm\n{\n}\n")}).code, 1);
}

TEST(MarineCli, TheBrokerReportsWordsOfTheViewWithFileAndLine) {
    TemporaryFolder folder;
    const std::string mission = folder.write(
        "shore.moos",
        "LatOrigin = 43.8\nLongOrigin = -70.3\nProcessConfig = pMarineViewer\n{\n  zooom = 3\n}\n");
    ChildProcess db(command({"db", mission, "--port", "0", "--web", "0"}));
    EXPECT_THAT(db.read_line(limit).value_or(""), HasSubstr("community"));
    EXPECT_THAT(db.read_line(limit).value_or(""), HasSubstr("web page at http://127.0.0.1:"));
    EXPECT_TRUE(db.read_line(limit));
    db.signal(SIGINT);
    EXPECT_THAT(end_of(db).err, HasSubstr("shore.moos:5: warning: `zooom` is not a word of pMarineViewer"));
}

TEST(MarineCli, NamesTheAddressOfTheViewOnlyIfItsFilesAreInstalled) {
    TemporaryFolder folder;
    const std::string mission = folder.write("shore.moos",
                                             "LatOrigin = 43.8\nLongOrigin = -70.3\nProcessConfig = "
                                             "pMarineViewer\n{\n}\n");
    const std::string log = folder.write("abe.alog",
                                         "%% LOGSTART 1800000000\n0.5 NODE_REPORT_LOCAL pNodeReporter "
                                         "NAME=abe,X=1,Y=2,SPD=1,HDG=90,TIME=1800000000\n");
    std::filesystem::create_directory(folder / "bin");
    const std::string program = folder / "bin/caribou";
    std::filesystem::copy_file(program_path(), program);
    const auto lines = [&] {
        ChildProcess db({program, "db", mission, "--port", "0", "--web", "0"}, {"PATH=/nowhere"});
        std::string all;
        for (int i = 0; i < 3; ++i) all = db.read_line(limit).value_or("");
        ChildProcess view({program, "alog", "view", log, "--web", "0"}, {"PATH=/nowhere"});
        all += "\n" + view.read_line(limit).value_or("");
        for (const ChildProcess* const one : {&db, &view}) one->signal(SIGINT);
        EXPECT_EQ(end_of(db).code, 0);
        EXPECT_EQ(end_of(view).code, 0);
        return all;
    };
    const std::string without = lines();
    EXPECT_THAT(without, HasSubstr("no marine view: the files of the page are not installed\n"));
    EXPECT_THAT(without, HasSubstr("no page to show them: its files are not installed"));
    std::filesystem::create_directory(folder / "web");
    folder.write("web/marine.html", "<title>marine</title>");
    EXPECT_THAT(lines(), testing::ContainsRegex("marine view at http://.*/marine\n.* at http://.*/marine"));
}

}  // namespace
}  // namespace caribou::tests
