// `caribou world serve` and `caribou world drive`: the simulated world as a process of its own.

#include <signal.h>
#include <sys/stat.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "adapters/body/driver_line.hpp"
#include "child/robot_console.hpp"
#include "child/self_checked.hpp"
#include "child/world_process.hpp"
#include "driver/driver_body.hpp"
#include "platform/system_clock.hpp"

namespace caribou::tests {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class QuietLog final : public Log {
public:
    void write(Level, std::string_view) override {}
};

/// A robot's end of the driver protocol in this process, with the driver as a process of its own.
class ServedWorld : public testing::Test {
protected:
    /// Starts the driver and offers its connection to the robot.
    void start_driver(const std::string& name) {
        auto ends = driver_sockets().value();
        const int inherited = ::dup(ends.second.get());
        driver.emplace(command({"world", "drive", world.socket(), name}),
                       std::vector{driver_variable + ("=" + std::to_string(inherited))});
        ::close(inherited);
        inlet.offer(driver_line(std::move(ends.first)));
    }
    void greet() {
        driver::DriverBody::Greeting greeting(inlet, clock);
        ASSERT_TRUE(comes_true([&] { return greeting.poll().value(); }));
        body = std::make_unique<driver::DriverBody>(std::move(greeting), log);
    }
    /// Orders every 5 ms, as propulsion does every 20, until the condition holds.
    bool drive_until(const std::function<bool()>& condition) {
        return comes_true([&] {
            if (body->absence().empty() && !body->motors_enabled()) std::ignore = body->enable_motors(true);
            body->drive({0.2, 0.2});
            return condition();
        });
    }
    /// Of the right encoder, as far as it is known.
    std::int64_t ticks() {
        const auto reading = body->read(0);
        if (const auto* counted = std::get_if<std::int64_t>(&reading)) ticks_ = *counted;
        return ticks_;
    }

    WorldProcess world{in_repository("examples/worlds/flat.toml")};
    SystemClock clock;
    QuietLog log;
    driver::DriverInlet inlet;
    std::optional<ChildProcess> driver;
    std::unique_ptr<driver::DriverBody> body;
    std::int64_t ticks_ = 0;
};

TEST_F(ServedWorld, IsDrivenInByADriverProcess) {
    struct stat file{};
    ASSERT_EQ(::stat(world.socket().c_str(), &file), 0);
    EXPECT_EQ(file.st_mode & 0777U, 0600U);
    start_driver("rover");
    greet();
    EXPECT_TRUE(drive_until([&] { return ticks() > 200; })) << body->absence();
    EXPECT_TRUE(world.moves());
    body.reset();
    EXPECT_EQ(end_of(*driver).code, 0);
    ASSERT_TRUE(comes_true([&] { return !world.moves(); }));
    EXPECT_THAT(world.trace().back().reason, testing::AnyOf("goodbye", "closed"));
}

TEST_F(ServedWorld, StopsARobotWhoseDriverIsKilledAndTakesItBack) {
    start_driver("rover");
    greet();
    ASSERT_TRUE(drive_until([&] { return world.moves() && ticks() > 20; }));
    driver->signal(SIGKILL);
    ASSERT_TRUE(comes_true([&] { return !world.moves(); }));
    EXPECT_EQ(world.trace().back().reason, "closed");
    ASSERT_TRUE(comes_true([&] { return !body->absence().empty(); }));
    EXPECT_THAT(body->absence(), HasSubstr("closed the connection"));
    start_driver("rover");
    EXPECT_TRUE(drive_until([&] { return body->absence().empty() && world.moves(); })) << body->absence();
}

TEST_F(ServedWorld, ConfirmsACut) {
    start_driver("rover");
    greet();
    ASSERT_TRUE(drive_until([&] { return world.moves(); }));
    EXPECT_TRUE(comes_true([&] { return body->cut_motors().has_value(); }))
        << "repeated, as the watchdog does";
    EXPECT_FALSE(world.moves()) << "before the cut was confirmed";
}

TEST_F(ServedWorld, IsAbsentForARobotWhoseDriverHangs) {
    start_driver("rover");
    greet();
    ASSERT_TRUE(drive_until([&] { return world.moves(); }));
    driver->signal(SIGSTOP);
    EXPECT_TRUE(drive_until([&] { return !body->absence().empty(); }));
    EXPECT_FALSE(body->cut_motors()) << "a process that is stopped confirms nothing; its guard kills it";
    driver->signal(SIGKILL);
    EXPECT_TRUE(comes_true([&] { return !world.moves(); }));
}

TEST_F(ServedWorld, ReportsWhyItRefusesARobot) {
    start_driver("no/name");
    driver::DriverBody::Greeting greeting(inlet, clock);
    std::string why;
    EXPECT_TRUE(comes_true([&] {
        const auto polled = greeting.poll();
        if (!polled) why = polled.error().message;
        return !polled;
    }));
    EXPECT_THAT(why, HasSubstr("closed the connection: "));
    EXPECT_EQ(end_of(*driver).code, 1);
}

TEST(ServedRobot, DocksAtItsCharger) {
    const TemporaryFolder scratch;
    const WorldProcess world(scratch.write("dock.toml",
                                           "name = \"dock\"\nseed = 3\nsize = [5, 4]\n"
                                           "[[start]]\nat = [2.5, 2.4]\nheading = 270\n"
                                           "[charger]\nat = [2.5, 0.8]\nheading = 90\n"
                                           "[battery]\nlevel = 0.5\n"));
    const std::string config = self_checked(scratch.write(
        "robot.toml", "DefaultRunMode = 2\nReceivePort = 0\nlog = \"" + (scratch / "robot.log").string() +
                          "\"\n[body]\nkind = \"driver\"\ncommand = [\"" + program_path() +
                          "\", \"world\", \"drive\", \"" + world.socket() +
                          "\", \"rover\"]\n[link]\nplain = true\nkeys = \"" + (scratch / "keys").string() +
                          "\"\nrecord = \"" + (scratch / "rover.link").string() + "\"\n"));
    ChildProcess robot(command({"robot", "--config", config}));
    const std::uint16_t port = port_of(robot);
    ASSERT_NE(port, 0);
    EXPECT_THAT(tell(port, "dock"), ElementsAre(HasSubstr("ACCEPTED"), HasSubstr("DONE")));
    EXPECT_THAT(tell(port, "status").back(), HasSubstr("RM1(Charging)"));
}

TEST(WorldDrive, ReportsThatItIsStartedByARobot) {
    const auto end = run({"world", "drive", "/nowhere", "rover"});
    EXPECT_EQ(end.code, 1);
    EXPECT_THAT(end.err, HasSubstr("caribou world drive: error: a driver is started by `caribou robot`"));
}

TEST(WorldServe, ReportsAFileThatIsNone) {
    const auto end = run({"world", "serve", "/nowhere.toml", "--socket", "/nowhere.sock"});
    EXPECT_EQ(end.code, 1);
    EXPECT_THAT(end.err, HasSubstr("/nowhere.toml"));
}

}  // namespace
}  // namespace caribou::tests
