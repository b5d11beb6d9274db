// `caribou robot` on a Linux body whose device calls hang.

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <cmath>

#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <test_paths.hpp>
#include "child/onlooker.hpp"
#include "child/program.hpp"
#include "pins/shared_pins.hpp"
#include "platform/event_loop.hpp"
#include "platform/temporary_folder.hpp"

namespace caribou::tests {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr std::size_t enable_line = 2;
constexpr std::size_t fault_line = 3;
constexpr std::size_t emergency_line = 4;

/// A robot in RM2 whose behavior drives straight ahead, with its PWM files and lines in the test's hands.
class RobotOnPins : public testing::Test {
protected:
    RobotOnPins() {
        for (const char* const channel : {"pwm0", "pwm1"}) {
            std::filesystem::create_directory(scratch / channel);
            for (const char* const file : {"period", "duty_cycle", "enable"})
                scratch.write(std::string(channel) + "/" + file, "0\n");
        }
        const std::string path = scratch.write("pins", std::string(sizeof(SharedPins), '\0'));
        const int file = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
        pins = static_cast<SharedPins*>(
            ::mmap(nullptr, sizeof(SharedPins), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
        ::close(file);
        SharedPins::store(pins->stuck_line, -1);
        SharedPins::store(pins->level.at(fault_line), 1);
        SharedPins::store(pins->level.at(emergency_line), 1);
    }
    ~RobotOnPins() override { ::munmap(pins, sizeof(SharedPins)); }

    std::string configuration(const std::string& more) const {
        const std::string chip = "chip = \"" + scratch.path() + "\"\n";
        const std::string wiring = scratch.write(
            "wiring.toml",
            "[gpio]\nchip = \"/dev/gpiochip0\"\nenable = 2\nfault = 3\nemergency_stop = 4\n"
            "[motor.right]\n" +
                chip + "channel = 0\ndirection = 0\n[motor.left]\n" + chip +
                "channel = 1\ndirection = 1\n[serial]\nport = \"" + (scratch / "no_board").string() +
                "\"\n[[sensor]]\nname = \"right\"\nkind = \"encoder_right\"\n"
                "[[sensor]]\nname = \"left\"\nkind = \"encoder_left\"\n");
        const std::string tree = scratch.write(
            "ahead.json",
            R"({"base": "ahead", "behaviors": [{"class": "repeat", "id": "ahead", "children": [)"
            R"({"class": "act", "id": "drive", "action": {"drive": "MOVE_FW_1", "for": "1s"}}]}]})");
        return scratch.write("robot.toml", "DefaultRunMode = 2\nDefaultComMode = 0\nlog = \"" +
                                               (scratch / "robot.log").string() + "\"\n[ai]\ntree = \"" +
                                               tree + "\"\n[body]\nkind = \"linux\"\nfile = \"" + wiring +
                                               "\"\n[link]\nplain = true\nrecord = \"" +
                                               (scratch / "rover.link").string() + "\"\n" + more);
    }
    /// Waits, with a deadline, until the condition holds.
    static bool comes(const std::function<bool()>& condition) {
        EventLoop loop;
        const auto timer = loop.make_timer([] {});
        const Instant end = loop.clock().now() + limit;
        while (!condition() && loop.clock().now() < end) {
            timer->arm(loop.clock().now() + 1ms);
            loop.run_until([&, due = loop.clock().now() + 1ms] { return loop.clock().now() >= due; }, 1s);
        }
        return condition();
    }
    std::string log() const {
        std::stringstream text;
        text << std::ifstream(scratch / "robot.log").rdbuf();
        return text.str();
    }
    bool is_enabled() const { return SharedPins::load(pins->level.at(enable_line)) == 1; }
    bool hangs() const { return SharedPins::load(pins->calls_that_hang) > 0; }
    bool drives() const {
        std::string duty;
        std::getline(std::ifstream(scratch / "pwm0/duty_cycle"), duty);
        return is_enabled() && !duty.empty() && duty != "0";
    }
    Words words(const std::string& more = "") const {
        return command({"robot", "--config", configuration(more)});
    }
    std::vector<std::string> settings() const {
        return {"LD_PRELOAD=" + in_build("libcaribou_pins.so"),
                pins_variable + ("=" + (scratch / "pins").string())};
    }

    TemporaryFolder scratch;
    SharedPins* pins = nullptr;
};

TEST_F(RobotOnPins, HasItsMotorsCutWhileAWriteOfTheDutyHangs) {
    ChildProcess program(words(), settings());
    ASSERT_TRUE(comes([&] { return drives(); })) << log();
    SharedPins::store(pins->pwm_hangs, 1);
    ASSERT_TRUE(comes([&] { return hangs(); }));
    EXPECT_TRUE(comes([&] { return !is_enabled(); })) << "the call still hangs";
    const auto end = end_of(program);
    EXPECT_EQ(end.code, 10) << "RM0, although a thread hangs";
    EXPECT_FALSE(is_enabled());
    EXPECT_THAT(log(), AllOf(HasSubstr("the motors are cut"), HasSubstr("missed_deadlines")));
}

TEST_F(RobotOnPins, HasItsMotorsCutWhileAReadOfAnInputHangs) {
    ChildProcess program(words(), settings());
    ASSERT_TRUE(comes([&] { return drives(); })) << log();
    SharedPins::store(pins->inputs_hang, 1);
    ASSERT_TRUE(comes([&] { return hangs(); }));
    EXPECT_TRUE(comes([&] { return !is_enabled(); })) << "the call still hangs";
    EXPECT_EQ(end_of(program).code, 10);
    EXPECT_FALSE(is_enabled());
}

TEST_F(RobotOnPins, ReportsThatACutIsNotConfirmed) {
    ChildProcess program(words(), settings());
    ASSERT_TRUE(comes([&] { return drives(); })) << log();
    SharedPins::store(pins->stuck_line, enable_line);
    SharedPins::store(pins->pwm_hangs, 1);
    EXPECT_EQ(end_of(program).code, 10);
    EXPECT_THAT(log(), AllOf(HasSubstr("NOT confirmed"), HasSubstr("it reads back as high"),
                             HasSubstr("motors_not_cut"), Not(HasSubstr("the motors are cut"))));
}

TEST_F(RobotOnPins, ShowsItsMotionAsUnknownWhilePropulsionHangs) {
    ChildProcess program(words("[safety]\nstall_after = 1\n[web]\nlisten = \"127.0.0.1:0\"\n"), settings());
    const std::string line = program.read_line(limit).value_or("");
    ASSERT_THAT(line, HasSubstr(" shows itself at http://"));
    std::string at = line.substr(line.find("//") + 2);
    at.pop_back();
    const std::string name = line.substr(0, line.find(' '));
    Onlooker onlooker(at);
    EXPECT_TRUE(
        onlooker.sees(name, [](const auto& robot) { return robot.motion && robot.motion->winner == "ai"; }));
    ASSERT_TRUE(comes([&] { return drives(); })) << log();
    SharedPins::store(pins->pwm_hangs, 1);
    EXPECT_TRUE(onlooker.sees(name, [](const auto& robot) {
        return robot.motion && robot.motion->reason == "motion_unknown" && robot.motion->winner.empty() &&
               robot.motion->movement_class == data::MovementClass::unknown &&
               std::isnan(robot.motion->right.speed);
    }));
    SharedPins::store(pins->pwm_hangs, 0);
}

}  // namespace
}  // namespace caribou::tests
