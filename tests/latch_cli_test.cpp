// The full stop of `caribou robot`, across all ways to end or start the program.

#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <optional>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
    std::string log() const {
        std::stringstream text;
        text << std::ifstream(scratch / "robot.log").rdbuf();
        return text.str();
    }
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
    EXPECT_EQ(released.out, "rover is released\n");
    EXPECT_TRUE(comes_to([](const std::string& status) { return !status.contains("stopped by"); }));
    EXPECT_EQ(std::filesystem::status(scratch / "rover.sock").permissions(),
              std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
    stop_with(SIGTERM);
    const auto gone = run({"robot", "release", "--config", config()});
    EXPECT_EQ(gone.code, 1);
    EXPECT_THAT(gone.err, HasSubstr("is it running, and are you its user or root?"));
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

TEST_F(Latch, StartsReleasedAfterAnUpgradeFromAReleaseWithoutLatches) {
    give_a_key();
    scratch.write("rover.link", "boot = 7\nstation = \"\"\n");
    start();
    EXPECT_TRUE(moves());
    EXPECT_TRUE(std::filesystem::exists(scratch / "rover.latch"));
}

}  // namespace
}  // namespace caribou::tests
