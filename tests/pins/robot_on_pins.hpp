#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <test_paths.hpp>
#include "child/program.hpp"
#include "child/self_checked.hpp"
#include "pins/shared_pins.hpp"
#include "platform/event_loop.hpp"
#include "platform/temporary_folder.hpp"

namespace caribou::tests {

inline constexpr std::size_t enable_line = 2;
inline constexpr std::size_t fault_line = 3;
inline constexpr std::size_t emergency_line = 4;

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

    struct Settings {
        std::string gpio{};  ///< lines of the wiring, in [gpio]
        std::string body{};  ///< lines of the configuration, in [body]
        std::string more{};  ///< sections of the configuration
        int com_mode = 0;
    };
    std::string configuration(const Settings& wanted) const {
        const std::string chip = "chip = \"" + scratch.path() + "\"\n";
        const std::string wiring = scratch.write(
            "wiring.toml",
            "[gpio]\nchip = \"/dev/gpiochip0\"\nenable = 2\nfault = 3\nemergency_stop = 4\n" + wanted.gpio +
                "[motor.right]\n" + chip + "channel = 0\ndirection = 0\n[motor.left]\n" + chip +
                "channel = 1\ndirection = 1\n[serial]\nport = \"" + (scratch / "no_board").string() +
                "\"\n[[sensor]]\nname = \"right\"\nkind = \"encoder_right\"\n"
                "[[sensor]]\nname = \"left\"\nkind = \"encoder_left\"\n");
        const std::string tree = scratch.write(
            "ahead.json",
            R"({"base": "ahead", "behaviors": [{"class": "repeat", "id": "ahead", "children": [)"
            R"({"class": "act", "id": "drive", "action": {"drive": "MOVE_FW_1", "for": "1s"}}]}]})");
        return self_checked(scratch.write(
            "robot.toml",
            "DefaultRunMode = 2\nReceivePort = 0\nDefaultComMode = " + std::to_string(wanted.com_mode) +
                "\nlog = \"" + (scratch / "robot.log").string() + "\"\n[ai]\ntree = \"" + tree +
                "\"\n[body]\nkind = \"linux\"\nfile = \"" + wiring + "\"\n" + wanted.body +
                "[link]\nplain = true\nrecord = \"" + (scratch / "rover.link").string() + "\"\n" +
                wanted.more));
    }
    /// Waits, with a deadline, until the condition holds.
    static bool comes(const std::function<bool()>& condition) {
        EventLoop loop;
        const auto timer = loop.make_timer([] {});
        const Instant end = loop.clock().now() + limit;
        while (!condition() && loop.clock().now() < end) {
            timer->arm(loop.clock().now() + std::chrono::milliseconds(1));
            loop.run_until([&, due = loop.clock().now() +
                                     std::chrono::milliseconds(1)] { return loop.clock().now() >= due; },
                           std::chrono::seconds(1));
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
    Words words(const Settings& wanted) const {
        return command({"robot", "--config", configuration(wanted)});
    }
    std::vector<std::string> settings() const {
        return {"LD_PRELOAD=" + in_build("libcaribou_pins.so"),
                pins_variable + ("=" + (scratch / "pins").string())};
    }

    TemporaryFolder scratch;
    SharedPins* pins = nullptr;
};

}  // namespace caribou::tests
