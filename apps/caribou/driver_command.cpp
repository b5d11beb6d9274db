// `caribou driver`: drives a robot's base and lidar, as a driver process.

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <numbers>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/suggestion.hpp"
#include "caribou/commands.hpp"
#include "caribou/device_driver.hpp"
#include "devices/device_kinds.hpp"
#include "platform/system_error.hpp"
#include "platform/text_file.hpp"
#include "robot/wiring.hpp"

namespace caribou::app {
namespace {

std::vector<std::string> names(const std::vector<std::string_view>& kinds) {
    return {kinds.begin(), kinds.end()};
}

class DriverCommand final : public Command {
public:
    CLI::App* add_to(CLI::App& program) override {
        CLI::App* const parser =
            program.add_subcommand("driver", "Drive a robot's base and lidar; the driver of `body.command`");
        parser
            ->add_option("BASE", options_.base,
                         "create2 (iRobot Create 2, Roomba 500 and 600) or board (a microcontroller)")
            ->required();
        parser->add_option("--wiring", wiring_,
                           "The measures and sensors of a board: [body], [serial] and [[sensor]] of "
                           "docs/formats/wiring.md");
        parser->add_option("--port", options_.port,
                           "Serial port of the base; default: the device of `body.device`, as a base needs "
                           "that does not stop by itself");
        parser->add_option(
            "--lidar", lidar_,
            "KIND:PORT, such as ld19:/dev/ttyUSB1; KIND is ld06 or ld19 (LDROBOT), a1, a2 or c1 "
            "(Slamtec RPLIDAR)");
        parser
            ->add_option("--lidar-at", place_,
                         "X,Y,DEGREES: the lidar's place ahead and to the left of the middle between the "
                         "wheels, in meters, and where its front points, counterclockwise from ahead")
            ->delimiter(',')
            ->expected(3);
        parser->add_flag("--lidar-upside-down", upside_down_, "The lidar is mounted upside down");
        parser->add_flag("--lidar-optional", optional_, "The robot drives without scans, too");
        parser->add_flag("--check", check_,
                         "Check these options, the wiring and that the ports are there, and exit");
        parser->footer(
            "It is started by `caribou robot`, as `body.command` of its configuration says:\n"
            "  [body]\n"
            "  kind = \"driver\"\n"
            "  command = [\"caribou\", \"driver\", \"create2\", \"--lidar=ld19:/dev/ttyUSB1\"]\n"
            "  device = \"/dev/ttyUSB0\"\n"
            "`caribou body check` tries it on the desk. See docs/drivers.md.");
        return parser;
    }

    Exit run() override {
        if (const auto good = read_options(); !good) {
            fmt::print(stderr, "caribou driver: error: {}\n", good.error().message);
            return Exit::usage;
        }
        const auto driven = check_ ? check_ports() : drive_devices(options_);
        if (driven) return Exit::ok;
        fmt::print(stderr, "caribou driver: error: {}\n", driven.error().message);
        return Exit::failed;
    }

private:
    static Result<void> check_kind(std::string_view what, const std::string& kind,
                                   const std::vector<std::string_view>& kinds) {
        const auto known = names(kinds);
        if (std::ranges::find(known, kind) != known.end()) return {};
        return fail(Code::invalid_argument,
                    fmt::format("there is no driver for the {} `{}`{}", what, kind, instead_of(kind, known)));
    }

    Result<void> read_wiring() {
        if ((options_.base == "board") == wiring_.empty())
            return fail(Code::invalid_argument, "--wiring belongs to the base `board`, which needs it");
        if (wiring_.empty()) return {};
        auto text = read_text_file(wiring_);
        if (!text) return fail(std::move(text.error()));
        const auto wiring = robot::read_wiring({wiring_, std::move(*text)});
        if (!wiring) return fail(Code::malformed, to_string(wiring.error()));
        options_.plan = wiring->plan;
        options_.baud = wiring->baud;
        return {};
    }

    Result<void> read_options() {
        if (auto good = check_kind("base", options_.base, devices::base_kinds()); !good) return good;
        if (auto good = read_wiring(); !good) return good;
        if (lidar_.empty()) return {};
        const std::size_t colon = lidar_.find(':');
        if (colon == std::string::npos || colon + 1 == lidar_.size())
            return fail(
                Code::invalid_argument,
                fmt::format("--lidar is `{}`; expected KIND:PORT, such as ld19:/dev/ttyUSB1", lidar_));
        LidarPlace place{
            .kind = lidar_.substr(0, colon), .port = lidar_.substr(colon + 1), .required = !optional_};
        if (auto good = check_kind("lidar", place.kind, devices::lidar_kinds()); !good) return good;
        if (!place_.empty())
            place.mount.pose = {place_.at(0), place_.at(1),
                                wrapped_angle(place_.at(2) * std::numbers::pi / 180.0)};
        place.mount.upside_down = upside_down_;
        options_.lidar = place;
        return {};
    }

    Result<void> check_ports() const {
        std::vector<std::string> ports{options_.port};
        if (options_.lidar && options_.lidar->required) ports.push_back(options_.lidar->port);
        for (const std::string& port : ports)
            if (!port.empty() && ::access(port.c_str(), R_OK | W_OK) != 0)
                return fail(system_error(port, errno));
        return {};
    }

    DeviceDriverOptions options_;
    std::string wiring_;
    std::string lidar_;
    std::vector<double> place_;
    bool upside_down_ = false;
    bool optional_ = false;
    bool check_ = false;
};

}  // namespace

std::unique_ptr<Command> make_driver_command() { return std::make_unique<DriverCommand>(); }

}  // namespace caribou::app
