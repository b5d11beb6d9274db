// The full stop of `caribou robot`, across all ways to end or start the program.

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <optional>
#include <sstream>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "child/full_pipe.hpp"
#include "child/robot_console.hpp"
#include "platform/system_clock.hpp"
#include "platform/temporary_folder.hpp"

namespace caribou::tests {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::string stored(const std::string& path) {
    std::stringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

/// A robot that drives by itself in RM2, in a simulated room.
class Latch : public testing::Test {
protected:
    void start() {
        program = std::make_unique<ChildProcess>(command({"robot", "--config", config()}));
        port = port_of(*program);
        ASSERT_NE(port, 0) << log();
    }
    void stop_with(int signal) {
        program->signal(signal);
        end_of(*program);
    }
    std::string config() const {
        return scratch.write("robot.toml", "name = \"rover\"\nDefaultRunMode = 2\nReceivePort = 0\nlog = \"" +
                                               (scratch / "robot.log").string() +
                                               "\"\n[link]\nplain = true\nkeys = \"" +
                                               (scratch / "keys").string() + "\"\nrecord = \"" +
                                               (scratch / "rover.link").string() + "\"\n");
    }
    std::string log() const { return stored(scratch / "robot.log"); }
    std::string status() const {
        const auto answers = tell(port, "status");
        return answers.empty() ? "" : answers.back();
    }
    bool comes_to(const std::function<bool(const std::string& status)>& holds) const {
        const SystemClock clock;
        for (const Instant end = clock.now() + limit; clock.now() < end;)
            if (holds(status())) return true;
        return false;
    }
    /// Returns the meters from its start, by its own estimate; nullopt if there was no telemetry yet.
    static std::optional<double> distance_in(const std::string& status) {
        const std::size_t at = status.find(", at ");
        if (at == std::string::npos) return std::nullopt;
        std::istringstream text(status.substr(at + 5));
        double x = 0;
        double y = 0;
        text >> x >> y;
        return std::hypot(x, y);
    }
    bool moves() const {
        return comes_to([](const std::string& status) {
            return status.contains("RM2") && distance_in(status).value_or(0) > 0.3;
        });
    }
    /// Returns whether it is stopped near its start for half a second of telemetry in RM2. Its pose estimate
    /// may be off by some centimeters.
    testing::AssertionResult stays_stopped() const {
        const SystemClock clock;
        std::optional<Instant> end;
        for (const Instant given_up = clock.now() + limit; clock.now() < end.value_or(given_up);) {
            const std::string now = status();
            const auto distance = distance_in(now);
            if (!now.contains("RM2") || !now.contains("moves HALT") || !now.contains("stopped by") ||
                distance.value_or(0) > 0.15)
                return testing::AssertionFailure() << now;
            if (distance && !end) end = clock.now() + 500ms;
        }
        if (!end) return testing::AssertionFailure() << "no telemetry";
        return testing::AssertionSuccess();
    }
    void give_a_key() const {
        std::filesystem::create_directory(scratch / "keys");
        scratch.write("keys/rover.key", "any text: that there is a key counts\n");
    }

    TemporaryFolder scratch;
    std::unique_ptr<ChildProcess> program;
    std::uint16_t port = 0;
};

TEST_F(Latch, SurvivesRm5) {
    start();
    EXPECT_THAT(tell(port, "full_stop"), ElementsAre("DONE: stopped until released"));
    EXPECT_THAT(tell(port, "setRM(5)"), Contains(StartsWith("ACCEPTED")));
    port = port_of(*program);
    ASSERT_NE(port, 0);
    EXPECT_TRUE(stays_stopped());
    EXPECT_THAT(tell(port, "release_stop"), ElementsAre(StartsWith("DONE")));
    EXPECT_TRUE(moves());
}

TEST_F(Latch, IsNotPutAtRiskByAnRm5ThatWouldNotStartAgain) {
    start();
    const std::string good = stored(config());
    scratch.write("robot.toml", "DefaultRunMode = 17\n" + good.substr(good.find('\n') + 1));
    EXPECT_THAT(tell(port, "setRM(5)"), ElementsAre(HasSubstr("FAILED: the robot would not start again: ")));
    EXPECT_THAT(log(), HasSubstr("the robot would not start again"));
    EXPECT_THAT(status(), HasSubstr("RM2"));
    scratch.write("robot.toml", good);
    EXPECT_THAT(tell(port, "setRM(5)"), Contains(StartsWith("ACCEPTED")));
    EXPECT_NE(port_of(*program), 0);
}

TEST_F(Latch, StartsStoppedWhenItsFileIsAPipe) {
    ASSERT_EQ(::mkfifo((scratch / "rover.latch").c_str(), 0600), 0);
    start();
    EXPECT_TRUE(stays_stopped());
    EXPECT_THAT(log(), HasSubstr("rover.latch is not a regular file"));
}

TEST_F(Latch, IsStoredAndAnsweredWhileNobodyReadsTheLog) {
    const std::string pipe = (scratch / "log").string();
    const FullPipe unread(pipe);
    unread.fill();
    std::string text = stored(config());
    text.erase(text.find("log = "), text.find("[link]") - text.find("log = "));
    const std::string own = scratch.write("unread.toml", text);
    program = std::make_unique<ChildProcess>(
        Words{"/bin/sh", "-c", "exec " + program_path() + " robot --config " + own + " 2>" + pipe});
    port = port_of(*program);
    ASSERT_NE(port, 0);
    EXPECT_THAT(tell(port, "full_stop"), Contains(HasSubstr("DONE")));
    EXPECT_THAT(stored((scratch / "rover.latch").string()), HasSubstr("stopped = true"));
    program->signal(SIGTERM);
    EXPECT_EQ(end_of(*program).code, 0);
}

TEST_F(Latch, SurvivesACrashAndARestart) {
    start();
    EXPECT_THAT(tell(port, "full_stop"), ElementsAre("DONE: stopped until released"));
    stop_with(SIGKILL);
    start();
    EXPECT_TRUE(stays_stopped());
    stop_with(SIGTERM);
    start();
    EXPECT_TRUE(stays_stopped());
    EXPECT_THAT(tell(port, "release_stop"), ElementsAre(StartsWith("DONE")));
    EXPECT_TRUE(moves());
    stop_with(SIGKILL);
    start();
    EXPECT_TRUE(moves()) << "a release is stored, too";
    stop_with(SIGTERM);
    start();
    EXPECT_TRUE(moves()) << "the end of the program is no full stop";
}

TEST_F(Latch, IsReleasedOnTheRobotItself) {
    start();
    EXPECT_THAT(tell(port, "full_stop"), ElementsAre(StartsWith("DONE")));
    const auto released = run({"robot", "release", "--config", config()});
    EXPECT_EQ(released.code, 0) << released.err;
    EXPECT_EQ(released.out,
              "rover is in RM2 (autonomous): it drives as soon as it is released\nrover is released\n");
    EXPECT_TRUE(comes_to([](const std::string& status) { return !status.contains("stopped by"); }));
    EXPECT_EQ(std::filesystem::status(scratch / "rover.sock").permissions(),
              std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
    stop_with(SIGTERM);
    const auto gone = run({"robot", "release", "--config", config()});
    EXPECT_EQ(gone.code, 1);
    EXPECT_THAT(gone.err, AllOf(HasSubstr("is it running, and are you its user or root?"),
                                Not(HasSubstr("is anyone listening"))));
}

/// Puts a listener in the place of a robot's local socket, which closes a few connections and gives the place
/// back.
class ClosingListener {
public:
    explicit ClosingListener(const std::string& path, int closes) {
        std::filesystem::rename(path, path + ".own");
        descriptor_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        sockaddr_un at{};
        at.sun_family = AF_UNIX;
        path.copy(at.sun_path, sizeof(at.sun_path) - 1);
        EXPECT_EQ(::bind(descriptor_, reinterpret_cast<const sockaddr*>(&at), sizeof(at)), 0);
        EXPECT_EQ(::listen(descriptor_, 8), 0);
        thread_ = std::jthread([this, path, closes] {  // tidy: allow thread: the test waits for its client
            for (int i = 0; i < closes; ++i) ::close(::accept(descriptor_, nullptr, nullptr));
            std::filesystem::rename(path + ".own", path);
            ::close(descriptor_);
        });
    }

private:
    int descriptor_ = -1;
    std::jthread thread_;  // tidy: allow thread: the test waits for its client
};

TEST_F(Latch, IsSetAndReleasedOnTheRobotItselfThroughConnectionsThatEnd) {
    start();
    {
        const ClosingListener closing(scratch / "rover.sock", 3);
        const auto stopped = run({"robot", "stop", "--config", config()});
        EXPECT_EQ(stopped.code, 0) << stopped.err;
        EXPECT_THAT(stopped.out, HasSubstr("rover: stopped until released"));
    }
    EXPECT_THAT(status(), HasSubstr("stopped by"));
    const ClosingListener closing(scratch / "rover.sock", 3);
    const auto released = run({"robot", "release", "--config", config()});
    EXPECT_EQ(released.code, 0) << released.err;
    EXPECT_THAT(released.out, HasSubstr("rover is released"));
}

TEST_F(Latch, KeepsNoRobotOnWhoseSocketIsGone) {
    start();
    std::filesystem::remove(scratch / "rover.sock");
    const auto stopped = run({"robot", "stop", "--config", config()});
    EXPECT_EQ(stopped.code, 1);
    EXPECT_THAT(stopped.err, HasSubstr("`full_stop` may have taken effect"));
    const auto off = run({"robot", "power-off", "--config", config()});
    EXPECT_EQ(off.code, 0) << off.err;
    EXPECT_THAT(off.out, HasSubstr("it was sent SIGPWR"));
    EXPECT_EQ(end_of(*program).code, 10);
}

TEST_F(Latch, StartsStoppedWhenItsFileIsLostOrDamaged) {
    start();
    EXPECT_TRUE(std::filesystem::exists(scratch / "rover.latch")) << "from the first start on";
    stop_with(SIGTERM);
    give_a_key();
    std::filesystem::remove(scratch / "rover.latch");
    start();
    EXPECT_THAT(status(), AllOf(HasSubstr("stopped by state_lost"), HasSubstr("state lost")));
    EXPECT_TRUE(stays_stopped());
    EXPECT_THAT(tell(port, "release_stop"), ElementsAre(StartsWith("DONE")));
    EXPECT_TRUE(moves());
    EXPECT_THAT(status(), Not(HasSubstr("state lost")));
    stop_with(SIGKILL);
    scratch.write("rover.latch", "stopp");
    start();
    EXPECT_TRUE(stays_stopped());
}

TEST_F(Latch, StartsStoppedAndLeavesTheFileOfANewerVersionAlone) {
    const std::string text = "version = 99\nstopped = false\n";
    scratch.write("rover.latch", text);
    start();
    EXPECT_TRUE(stays_stopped());
    EXPECT_THAT(log(), HasSubstr("its version is 99, this program reads up to 1"));
    EXPECT_THAT(tell(port, "full_stop"),
                ElementsAre(HasSubstr("stopped until released; latch not stored: ")));
    std::stringstream kept;
    kept << std::ifstream(scratch / "rover.latch").rdbuf();
    EXPECT_EQ(kept.str(), text);
}

TEST_F(Latch, StartsStoppedWhenItsFileIsIncompleteOrContradictsItself) {
    for (const std::string& text : {std::string("version = 1\nstopped = false\n"),
                                    std::string("version = 1\nstopped = false\ncause = \"operator\"\n")}) {
        scratch.write("rover.latch", text);
        start();
        EXPECT_TRUE(stays_stopped()) << text;
        EXPECT_THAT(status(), HasSubstr("stopped by state_lost")) << text;
        stop_with(SIGTERM);
    }
    EXPECT_THAT(log(), AllOf(HasSubstr("`cause` is missing"), HasSubstr("`stopped` is false, but `cause`")));
}

/// A robot whose state is on a disk of its own: a small tmpfs in a mount namespace.
class FullDisk : public Latch {
protected:
    void SetUp() override {
        if (::geteuid() != 0) GTEST_SKIP() << "a mount namespace takes root";
        std::filesystem::create_directory(disk);
        holder = std::make_unique<ChildProcess>(Words{
            "/usr/bin/unshare", "-m", "/bin/sh", "-c",
            "mount -t tmpfs -o size=128k none " + disk.string() + " && echo mounted && exec sleep infinity"});
        ASSERT_EQ(holder->read_line(limit), "mounted");
        // Secured, with the keys in the scratch folder: a station on this machine could connect.
        text = "name = \"rover\"\nDefaultRunMode = 2\nReceivePort = 0\nlog = \"" +
               (scratch / "robot.log").string() + "\"\n[link]\nkeys = \"" + (scratch / "keys").string() +
               "\"\nrecord = \"" + (disk / "rover.link").string() + "\"\n";
        scratch.write("full.toml", text);
    }
    Words inside(const Words& words) const {
        Words all{"/usr/bin/nsenter", "-t", std::to_string(holder->id()), "-m"};
        for (const std::string& word : command(words)) all.push_back(word);
        return all;
    }
    void start_inside() {
        program = std::make_unique<ChildProcess>(inside({"robot", "--config", scratch / "full.toml"}));
        port = port_of(*program);
        ASSERT_NE(port, 0) << end_of(*program).err << log();
    }
    /// A file on the disk, as seen from here.
    std::string seen(const std::string& name) const {
        return "/proc/" + std::to_string(holder->id()) + "/root" + (disk / name).string();
    }
    void fill() const {
        std::ofstream file(seen("fill"), std::ios::binary);
        const std::string block(4096, 'x');
        while (file.write(block.data(), 4096) && file.flush()) {}
    }
    ChildProcess::End ask(const std::string& verb) const {
        ChildProcess asked(inside({"robot", verb, "--config", scratch / "full.toml"}));
        return end_of(asked);
    }

    std::filesystem::path disk = scratch / "disk";
    std::string text;
    std::unique_ptr<ChildProcess> holder;
};

TEST_F(FullDisk, DeletesALatchThatSaysReleasedUntilTheStopCanBeStored) {
    scratch.write("full.toml", text + "plain = true\n");
    ASSERT_NO_FATAL_FAILURE(start_inside());
    EXPECT_THAT(stored(seen("rover.latch")), HasSubstr("stopped = false"));
    fill();
    EXPECT_THAT(tell(port, "full_stop"), ElementsAre(StartsWith("DONE: stopped until released")));
    EXPECT_THAT(log(), AllOf(HasSubstr("latch not stored: "), HasSubstr("no space left")));
    // The block of the deleted file may be enough for the next attempt.
    EXPECT_THAT(stored(seen("rover.latch")), Not(HasSubstr("stopped = false")))
        << "a robot without the file starts stopped";
    std::filesystem::remove(seen("fill"));
    EXPECT_TRUE(comes_to([&](const std::string&) {
        return stored(seen("rover.latch")).contains("cause = \"operator\"");
    })) << "it is tried again";
    stop_with(SIGKILL);
    ASSERT_NO_FATAL_FAILURE(start_inside());
    EXPECT_TRUE(stays_stopped());
}

TEST_F(FullDisk, KeepsNoRobotFromStarting) {
    ASSERT_NO_FATAL_FAILURE(start_inside());
    stop_with(SIGTERM);
    EXPECT_THAT(stored(seen("rover.latch")), HasSubstr("stopped = false"));
    fill();
    ASSERT_NO_FATAL_FAILURE(start_inside());
    EXPECT_THAT(log(), HasSubstr("link record not stored: "));
    EXPECT_EQ(ask("release").out,
              "rover is in RM2 (autonomous): it drives as soon as it is released\nrover is released\n");
    ChildProcess second(inside({"robot", "--config", scratch / "full.toml"}));
    EXPECT_THAT(end_of(second).err, HasSubstr("robot rover is already running"));
    stop_with(SIGTERM);
    std::filesystem::remove(seen("rover.latch"));
    std::filesystem::remove(seen("rover.latch.latch"));
    fill();
    ASSERT_NO_FATAL_FAILURE(start_inside());
    EXPECT_THAT(log(),
                AllOf(HasSubstr("state lost: the robot starts stopped"), HasSubstr("latch not stored: ")));
    stop_with(SIGTERM);
}

TEST_F(Latch, StartsReleasedAfterAnUpgradeFromAReleaseWithoutLatches) {
    give_a_key();
    scratch.write("rover.link", "boot = 7\nstation = \"\"\n");
    start();
    EXPECT_TRUE(moves());
    EXPECT_TRUE(std::filesystem::exists(scratch / "rover.latch"));
}

}  // namespace
}  // namespace caribou::tests
