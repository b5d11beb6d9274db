// The drivers that are included, as separate processes, with simulated devices on pseudo-terminals.

#include <csignal>
#include <filesystem>
#include <functional>
#include <regex>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "child/process_tree.hpp"
#include "field/field.hpp"
#include "field/operator.hpp"
#include "platform/system_clock.hpp"
#include "platform/text_file.hpp"
#include "robot/robot_config.hpp"
#include "robot/wiring.hpp"
#include "serial/simulated_devices.hpp"

namespace caribou::tests {
namespace {

using namespace std::chrono_literals;
using testing::ContainsRegex;
using testing::HasSubstr;

/// Reads what a station sends of a view.
class ViewReader final : TextChannelEvents {
public:
    ViewReader(const Field& field, std::string view)
        : view_(std::move(view)),
          channel_(dial_web_socket(loop_,
                                   {.at = Address::parse(field.station_at).value(),
                                    .target = "/api/v1/stream",
                                    .authorization = "Bearer " + field.token()},
                                   *this)) {}
    /// Waits until a message satisfies the condition.
    bool sees(const std::function<bool(const std::string&)>& is) {
        latest_.clear();
        return loop_.run_until([&] { return !latest_.empty() && is(latest_); }, limit);
    }

private:
    void on_open() override {
        channel_->send(
            fmt::format(R"({{"type":"watch","robots":["rover"],"views":["{}"],"rate":10}})", view_));
    }
    void on_text(std::string_view text) override {
        if (!text.contains(fmt::format(R"("{}":{{)", view_))) return;
        latest_ = text;
    }
    void on_closed(std::string_view) override { loop_.stop(); }

    EventLoop loop_;
    std::string view_;
    std::unique_ptr<TextChannel> channel_;
    std::string latest_;
};

/// Returns the number of occupied cells of a map.
std::size_t occupied_cells(const std::string& map) {
    static const std::regex pattern(R"("runs":\[([0-9,]*)\])");
    std::smatch found;
    if (!std::regex_search(map, found, pattern)) return 0;
    std::string numbers = found[1];
    std::ranges::replace(numbers, ',', ' ');
    std::istringstream runs(numbers);
    std::size_t cells = 0;
    for (std::size_t value = 0, count = 0; runs >> value >> count;) cells += value == 2 ? count : 0;
    return cells;
}

class DeviceDriver : public testing::Test {
protected:
    /// `more` are further words of the command.
    std::string body(const std::string& more = "") const {
        return "[body]\nkind = \"driver\"\ncommand = [\"" + program_path() +
               "\", \"driver\", \"create2\", \"--lidar=ld19:" + devices.lidar() + "\"" + more +
               "]\ndevice = \"" + devices.base() + "\"\n";
    }
    std::string config(const std::string& text) const {
        return field.scratch.write("check.toml", "name = \"rover\"\nReceivePort = 0\n" + text);
    }
    ChildProcess::End run_here(const Words& words) const { return run(words, field.environment("of_robot")); }

    /// The robot and its station, in RM3, with the stop released.
    void start(const std::string& more = "") {
        const auto checked = run_here({"robot", "--self-check", "--yes", "--config", config(body(more))});
        ASSERT_EQ(checked.code, 0) << checked.out << checked.err;
        field.start_station();
        field.start_robot(body(more) + "[safety]\nstall_after = 1\n");
        person.emplace(field.station_at, field.token());
        ASSERT_TRUE(person->sees(is_driven, limit)) << log();
        ASSERT_EQ(person->answer("release_stop", limit), "DONE");
    }
    /// Orders ahead until the wheels turn. It may be refused while the driver is being started.
    bool begins_to_drive() {
        return comes_true([&] { return drive_for(50ms), devices.moves(); });
    }
    void drive_for(Duration time) {
        for (; time > 0ms; time -= 50ms) {
            person->send("101 level=1 ttl=2s");
            person->wait(50ms);
        }
    }
    bool stands() {
        return comes_true([&] { return person->wait(1ms), !devices.moves(); });
    }
    pid_t driver() const {
        for (const auto& each : std::filesystem::directory_iterator("/proc")) {
            const std::string name = each.path().filename();
            if (name.find_first_not_of("0123456789") != std::string::npos) continue;
            if (command_line_of(std::stoi(name)).find("driver create2 --lidar=ld19:" + devices.lidar()) !=
                std::string::npos)
                return std::stoi(name);
        }
        return -1;
    }
    std::string log() const { return field.text_of("robot.log"); }

    Field field;
    SimulatedDevices devices{
        field.scratch.write("room.toml", "name = \"room\"\nsize = [8, 8]\n[[start]]\nat = [4, 4]\n")};
    std::optional<Operator> person;
};

TEST_F(DeviceDriver, PassesTheBodyCheckWithItsStopFrame) {
    const auto end = run_here({"body", "check", config(body())});
    EXPECT_EQ(end.code, 0) << end.out << end.err;
    EXPECT_THAT(end.out, ContainsRegex("ok +sensors +all give readings"));
    EXPECT_THAT(end.out, ContainsRegex("ok +stop_frame +at rest by the encoders"));
    EXPECT_FALSE(devices.moves());
}

TEST_F(DeviceDriver, SaysWhyADeviceCannotBeDriven) {
    devices.happen("freeze 1");
    const auto silent = run_here({"body", "check", config(body())});
    EXPECT_EQ(silent.code, 1);
    EXPECT_THAT(silent.out, HasSubstr("the create2 does not answer at body.device"));
    const auto alone = run({"driver", "create2"});
    EXPECT_EQ(alone.code, 1);
    EXPECT_THAT(alone.err, HasSubstr("a driver is started by `caribou robot` or `caribou body check`"));
    const auto unknown = run({"driver", "create2", "--lidar=ld20:/dev/ttyUSB1"});
    EXPECT_EQ(unknown.code, 2);
    EXPECT_THAT(unknown.err, HasSubstr("there is no driver for the lidar `ld20`"));
}

TEST_F(DeviceDriver, DrivesOnCommandStopsAtABumpAndMaps) {
    start();
    ASSERT_TRUE(begins_to_drive()) << log();
    devices.happen("set bumps 3");
    EXPECT_TRUE(comes_true([&] {
        return person->wait(1ms), !devices.moves() || devices.trace().back().left < 0;
    })) << "it backs off";
    EXPECT_TRUE(stands());
    devices.happen("set bumps 0");
    ViewReader map(field, "map");
    ASSERT_THAT(person->answer("set_run_mode mode=2", limit), testing::StartsWith("DONE"));
    EXPECT_TRUE(map.sees([](const std::string& text) { return occupied_cells(text) > 100; })) << log();
}

TEST_F(DeviceDriver, IsCutByTheGuardWhenItIsFrozenAndDrivesAgainWithTheNextOne) {
    start();
    ASSERT_TRUE(begins_to_drive()) << log();
    const pid_t hanging = driver();
    const Instant frozen = SystemClock().now();
    send_signal(hanging, SIGSTOP);
    ASSERT_TRUE(stands()) << log();
    const Instant stopped(std::chrono::microseconds(devices.trace().back().microseconds));
    EXPECT_LT(stopped - frozen, 500ms);
    EXPECT_TRUE(begins_to_drive()) << log();
    EXPECT_THAT(log(), HasSubstr("guard: the body is cut"));
}

TEST_F(DeviceDriver, DrivesOnThroughNoiseAndLostBytes) {
    start();
    ASSERT_TRUE(begins_to_drive()) << log();
    drive_for(1s);  // until it has its speed
    const std::size_t before = devices.trace().size();
    for (int i = 0; i < 10; ++i) {
        devices.happen("send base 13 05 FF 00 13 2A 19 00");
        devices.happen("send lidar 54 2C 54 2C 00 FF 54");
        devices.happen("half lidar");
        drive_for(50ms);
    }
    const auto orders = devices.trace();
    for (std::size_t i = before; i < orders.size(); ++i) EXPECT_TRUE(orders[i].moves()) << log();
}

TEST_F(DeviceDriver, DrivesAgainAfterAResetOfTheBase) {
    start();
    ASSERT_TRUE(begins_to_drive()) << log();
    devices.happen("reset");
    ASSERT_TRUE(stands());
    EXPECT_TRUE(begins_to_drive()) << log();
    EXPECT_THAT(log(), HasSubstr("the Create 2 is silent for more than 500 ms"));
}

TEST_F(DeviceDriver, DrivesAgainWhenTheBaseIsPluggedInAgain) {
    start();
    ASSERT_TRUE(begins_to_drive()) << log();
    devices.happen("unplug base");
    ASSERT_TRUE(comes_true([&] { return person->wait(1ms), driver() < 0; })) << log();
    EXPECT_TRUE(devices.moves()) << "nothing reaches a base without its cable";
    devices.happen("plug base");
    EXPECT_TRUE(stands()) << "the driver begins with a stop";
    EXPECT_TRUE(begins_to_drive()) << log();
}

TEST_F(DeviceDriver, GivesScansAgainWhenTheLidarIsPluggedInAgain) {
    start(R"(, "--lidar-optional")");
    const auto is_silent = [](const auto& rover) {
        return std::ranges::count(rover.status.robot->faults, "lidar is silent") == 1;
    };
    ASSERT_TRUE(person->sees(std::not_fn(is_silent), limit));
    devices.happen("unplug lidar");
    ASSERT_TRUE(person->sees(is_silent, limit)) << log();
    EXPECT_TRUE(begins_to_drive()) << "without the lidar: " << log();
    devices.happen("plug lidar");
    EXPECT_TRUE(person->sees(std::not_fn(is_silent), limit)) << log();
    ViewReader scans(field, "scan");
    EXPECT_TRUE(scans.sees([](const std::string& text) { return text.contains(R"("ranges":[[)"); })) << log();
}

/// The blocks of configuration in docs/drivers.md and docs/build-a-robot.md, and the examples. Their ports
/// are not there.
TEST(DeviceDocs, HaveConfigurationsThatARobotReads) {
    static const std::regex block("```toml\n([^`]*)```");
    std::size_t blocks = 0;
    for (const std::string name : {"docs/drivers.md", "docs/build-a-robot.md"}) {
        const std::string text = read_text_file(in_repository(name)).value();
        for (std::sregex_iterator at(text.begin(), text.end(), block), end; at != end; ++at, ++blocks) {
            const robot::ReadConfig read = robot::read_config((*at)[1].str(), name);
            EXPECT_TRUE(read.good()) << read.errors();
            EXPECT_EQ(read.config.body, "driver");
        }
    }
    EXPECT_EQ(blocks, 4U);
    for (const std::string name : {"create2", "board_rover"}) {
        const std::string path = in_repository("examples/robots/" + name + ".toml");
        const robot::ReadConfig read = robot::read_config(read_text_file(path).value(), path);
        EXPECT_TRUE(read.good()) << read.errors();
    }
    const std::string wiring = in_repository("examples/robots/rover.board.toml");
    EXPECT_TRUE(robot::read_wiring({wiring, read_text_file(wiring).value()}));
}

}  // namespace
}  // namespace caribou::tests
