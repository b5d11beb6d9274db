// What programs on the station's machine may do, by the account that runs them. On separate processes.

#include <sys/stat.h>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "field/field.hpp"
#include "field/operator.hpp"
#include "platform/local_token.hpp"

namespace caribou::tests {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::HasSubstr;

class LocalAccess : public testing::Test {
protected:
    void start() {
        field.start_station();
        field.start_robot();
        Operator person(field.station_at, field.token());
        ASSERT_TRUE(person.sees(
            [](const auto& rover) {
                return rover.status.mode == data::StationMode::run1 && rover.is_in(link::RunMode::rm3);
            },
            limit));
        ASSERT_EQ(field.send({"release_stop"}).out, "DONE\n");
    }
    /// The words of a program that another account runs. Only root can do that.
    static Words as_nobody(const Words& words) {
        Words all{"/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"};
        all.insert(all.end(), words.begin(), words.end());
        return all;
    }
    /// Runs `caribou WORDS` as another account, which knows where the station keeps its token.
    ChildProcess::End other(Words words) const {
        words.insert(words.end(), {"--station", field.station_at});
        ChildProcess program(as_nobody(command(words)), field.environment("none"));
        return end_of(program);
    }

    Field field;
};

TEST_F(LocalAccess, IsFullForTheUserOfTheStation) {
    start();
    EXPECT_EQ(field.send({"105", "level=1"}).out, "DONE\n");
    EXPECT_EQ(field.send({"set_run_mode", "mode=2"}).code, 0);
    const auto page = run({"page", "--station", field.station_at}, field.environment("none"));
    EXPECT_EQ(page.out, "http://" + field.station_at + "/?token=" + field.token() + "\n") << page.err;
}

TEST_F(LocalAccess, IsThroughASocketThatOtherAccountsCannotOpen) {
    if (::geteuid() != 0) GTEST_SKIP() << "another account takes root";
    start();
    const auto port =
        static_cast<std::uint16_t>(std::stoi(field.station_at.substr(field.station_at.rfind(':') + 1)));
    const std::string socket = local_socket(field.scratch / "state" / "caribou", port).host;
    ChildProcess stranger(as_nobody({"/usr/bin/python3", "-c",
                                     "import socket\n"
                                     "socket.socket(socket.AF_UNIX).connect('" +
                                         socket + "')\n"}));
    EXPECT_THAT(end_of(stranger).err, HasSubstr("PermissionError"));
    // Without it they use the port; so do all if it is gone.
    EXPECT_EQ(other({"send", "rover", "full_stop"}).code, 0);
    ASSERT_EQ(::unlink(socket.c_str()), 0);
    EXPECT_EQ(field.send({"release_stop"}).out, "DONE\n");
    // A socket file on which nothing listens is no obstacle either.
    ChildProcess gone(
        {"/usr/bin/python3", "-c", "import socket\nsocket.socket(socket.AF_UNIX).bind('" + socket + "')\n"});
    ASSERT_EQ(end_of(gone).code, 0);
    EXPECT_EQ(field.send({"full_stop"}).code, 0);
}

TEST_F(LocalAccess, NamesTheWayToStartAStation) {
    const auto page = run({"page", "--station", "127.0.0.1:1"});
    EXPECT_EQ(page.code, 1);
    EXPECT_THAT(page.err,
                HasSubstr("nothing listens at 127.0.0.1:1; start a station with `caribou station`"));
}

TEST_F(LocalAccess, IsToObserveAndStopForOtherAccounts) {
    if (::geteuid() != 0) GTEST_SKIP() << "another account takes root";
    start();
    const auto robots = other({"robots"});
    EXPECT_THAT(robots.out, AllOf(HasSubstr("rover"), HasSubstr("run1"))) << robots.err;
    for (const Words& denied : {Words{"105", "level=1"}, {"setRM(2)"}, {"take_lease"}, {"dock"}}) {
        Words words{"send", "rover"};
        words.insert(words.end(), denied.begin(), denied.end());
        const auto end = other(words);
        EXPECT_EQ(end.code, 1) << denied.front();
        EXPECT_THAT(end.err, AllOf(HasSubstr("NOT_ALLOWED"), HasSubstr("`caribou page`"))) << denied.front();
    }
    EXPECT_EQ(other({"send", "rover", "move", "movement=HALT"}).out, "DONE\n");
    const auto stop = other({"send", "rover", "full_stop"});
    EXPECT_THAT(stop.out, HasSubstr("DONE")) << stop.err;
    EXPECT_THAT(other({"send", "rover", "release_stop"}).err, HasSubstr("NOT_ALLOWED"));
    EXPECT_THAT(field.send({"105", "level=1"}).err, HasSubstr("STOPPED")) << "the stop is in effect";
    const auto page = other({"page"});
    EXPECT_EQ(page.code, 1);
    EXPECT_THAT(page.err, AllOf(HasSubstr("the user root"), HasSubstr("run this as that user")));
    EXPECT_EQ(page.out, "");
}

TEST_F(LocalAccess, SendsTheTokenToNoProgramOfAnotherAccount) {
    if (::geteuid() != 0) GTEST_SKIP() << "another account takes root";
    field.start_station();
    field.station->signal(SIGKILL);
    ASSERT_TRUE(field.station->wait(limit));
    ASSERT_EQ(field.token().size(), 48U) << "it is kept";
    const std::string port = field.station_at.substr(field.station_at.rfind(':') + 1);
    ChildProcess listener(as_nobody({"/usr/bin/python3", "-c",
                                     "import socket\n"
                                     "server = socket.create_server(('127.0.0.1', " +
                                         port +
                                         "))\n"
                                         "print('ready', flush=True)\n"
                                         "print(server.accept()[0].recv(4096), flush=True)\n"}));
    ASSERT_EQ(listener.read_line(limit), "ready");
    const auto sent = field.send({"105"});
    EXPECT_EQ(sent.code, 1);
    EXPECT_THAT(sent.err,
                HasSubstr("is served by the user nobody, and no longer by a station of this account"));
    const std::string request = listener.read_line(limit).value_or("");
    EXPECT_THAT(request, HasSubstr("GET /api/v1/stream"));
    EXPECT_THAT(request, testing::Not(HasSubstr("Authorization")));
    EXPECT_THAT(request, testing::Not(HasSubstr(field.token())));
}

TEST_F(LocalAccess, StopsWithoutATokenIfItsFileIsAPipe) {
    start();
    const std::string port = field.station_at.substr(field.station_at.rfind(':') + 1);
    const std::string file = (field.scratch / "state" / "caribou" / ("web-" + port + ".token")).string();
    ASSERT_EQ(::unlink(file.c_str()), 0);
    ASSERT_EQ(::mkfifo(file.c_str(), 0600), 0);
    const auto stop = field.send({"full_stop"});
    EXPECT_THAT(stop.out, HasSubstr("DONE")) << stop.err;
    EXPECT_THAT(stop.err, HasSubstr("is not a regular file of mode 0600; going on without a token"));
}

TEST_F(LocalAccess, OfARobotsOwnPageIsThatOfTheRobotsUser) {
    field.start_station();
    field.start_robot("[web]\nlisten = \"127.0.0.1:0\"\n");
    // Its page is served before the robot is ready, so that its line comes first.
    std::string line = field.robot_line;
    const std::size_t at = line.find("http://");
    ASSERT_NE(at, std::string::npos) << line;
    field.station_at = line.substr(at + 7, line.rfind('/') - at - 7);
    Operator person(field.station_at, field.token());
    ASSERT_TRUE(
        person.sees([](const auto& rover) { return rover.status.mode == data::StationMode::run1; }, limit));
    const auto end = field.send({"status"});
    EXPECT_EQ(end.code, 0) << end.err;
    EXPECT_EQ(field.send({"release_stop"}).out, "DONE\n");
    Operator stranger(field.station_at);
    EXPECT_EQ(stranger.answer_to(stranger.send("release_stop"), limit).value().refusal,
              data::Refusal::not_allowed);
    EXPECT_EQ(stranger.answer_to(stranger.send("full_stop"), limit).value().refusal, std::nullopt);
}

}  // namespace
}  // namespace caribou::tests
