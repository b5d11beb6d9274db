#include "kit/robot/robot_body.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <tuple>

#include <fmt/format.h>

#include "adapters/body/linux_body.hpp"
#include "base/suggestion.hpp"
#include "kit/program/command_check.hpp"
#include "loop/duration_text.hpp"
#include "motion/null_body.hpp"
#include "platform/system_error.hpp"
#include "platform/text_file.hpp"
#include "robot/sim_body.hpp"
#include "robot/wiring.hpp"
#include "world/world_reader.hpp"

namespace caribou::app {
namespace {

Result<world::WorldPlan> plan_of(const robot::RobotConfig& config) {
    const auto seed = static_cast<std::uint64_t>(config.body_seed);
    if (config.body_file.empty()) return world::random_room(seed);
    auto text = read_text_file(config.body_file);
    if (!text) return fail(std::move(text.error()));
    auto plan = world::read_world({config.body_file, std::move(*text)});
    if (!plan) return fail(Code::malformed, to_string(plan.error()));
    plan->seed = seed;
    return std::move(*plan);
}

constexpr Duration driver_limit = std::chrono::seconds(10);
/// Of a world in this process.
constexpr Duration longest_gap_of_world = std::chrono::milliseconds(250);

/// Waits for the driver that the guard starts.
Result<std::unique_ptr<driver::DriverBody>> driver_body(driver::DriverInlet& inlet, const Clock& clock,
                                                        Log& log, const RobotBody::WaitForGuard& wait) {
    if (!wait) return fail(Code::unavailable, "a body with a driver needs a guard, which starts the driver");
    driver::DriverBody::Greeting greeting(inlet, clock);
    for (const Instant until = clock.now() + driver_limit; clock.now() < until;) {
        const auto complete = greeting.poll();
        if (!complete)
            return fail(Code::unavailable, "the driver of body.command: " + complete.error().message);
        if (*complete) return std::make_unique<driver::DriverBody>(std::move(greeting), log);
        if (const std::string why = wait(std::chrono::milliseconds(2)); !why.empty())
            return fail(Code::unavailable, "the driver cannot be started: " + why);
    }
    return fail(Code::timed_out, fmt::format("the driver of body.command is not ready within {}",
                                             duration_text(driver_limit)));
}

/// Checks a port, such as /dev/ttyACM0. A redirection as root to a port that is not plugged in leaves a
/// regular file with its name.
Result<void> check_port(const std::string& path) {
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    const bool is_left = path.starts_with("/dev/") && std::filesystem::is_regular_file(status);
    if (std::filesystem::is_directory(status) || is_left)
        return fail(Code::invalid_argument, fmt::format("{} is a {}; expected a device, such as /dev/ttyACM0",
                                                        path, is_left ? "regular file" : "folder"));
    if (::access(path.c_str(), R_OK | W_OK) != 0) return fail(system_error(path, errno));
    return {};
}

std::vector<std::string> names_of(const motion::BodyPlan& plan) {
    std::vector<std::string> names;
    for (const motion::SensorPlan& sensor : plan.sensors) names.push_back(sensor.name);
    return names;
}

/// Returns the names of the sensors of a body without a driver.
Result<std::vector<std::string>> sensors_of(const robot::RobotConfig& config) {
    if (config.body == "linux") {
        auto wiring = wiring_of(config);
        if (!wiring) return fail(std::move(wiring.error()));
        std::vector<std::string> names = names_of(wiring->plan);
        if (wiring->emergency_line) names.emplace_back(LinuxBody::emergency_name);
        return names;
    }
    if (config.body != "sim") return std::vector<std::string>();
    auto plan = plan_of(config);
    if (!plan) return fail(std::move(plan.error()));
    const SystemClock clock;
    robot::RunningWorld world(world::World(std::move(*plan)), clock);
    const auto robot = world.now().add_robot();
    if (!robot) return fail(robot.error());
    return names_of(robot::SimBody(world, *robot).plan());
}

Result<void> check_sensor_names(const std::vector<std::string>& names,
                                const std::vector<std::string>& known) {
    for (const std::string& name : names)
        if (std::ranges::find(known, name) == known.end())
            return fail(Code::not_found,
                        fmt::format("the body has no sensor `{}`{}", name, instead_of(name, known)));
    return {};
}

}  // namespace

Result<robot::Wiring> wiring_of(const robot::RobotConfig& config) {
    if (config.body_file.empty())
        return fail(Code::invalid_argument,
                    "a linux body needs its wiring: name it in body.file (docs/formats/wiring.md)");
    auto text = read_text_file(config.body_file);
    if (!text) return fail(std::move(text.error()));
    auto wiring = robot::read_wiring({config.body_file, std::move(*text)});
    if (!wiring) return fail(Code::malformed, to_string(wiring.error()));
    return std::move(*wiring);
}

Result<void> check_sensors_off(const robot::RobotConfig& config, const motion::BodyPlan& plan) {
    auto good = check_sensor_names(config.sensors_off, names_of(plan));
    if (!good) good.error().message = "telemetry.sensors_off: " + good.error().message;
    return good;
}

motion::DriverFacts facts_of(const driver::Hello& hello) {
    motion::DriverFacts facts;
    if (hello.stops_without_feed_ms >= 0)
        facts.stops_without_feed = std::chrono::milliseconds(hello.stops_without_feed_ms);
    for (const std::uint8_t byte : hello.stop_frame) facts.stop_frame.push_back(static_cast<std::byte>(byte));
    return facts;
}

std::vector<robot::Contradiction> RobotBody::check(const robot::RobotConfig& config) {
    std::vector<robot::Contradiction> found;
    const auto add = [&](const char* key, const Result<void>& checked) {
        if (checked) return;
        const std::string& why = checked.error().message;
        found.push_back({key, why.starts_with(key) ? why : fmt::format("{}: {}", key, why)});
    };
    if (config.body == "linux") {
        const auto wiring = wiring_of(config);
        const auto chip = wiring ? open_gpio(wiring->gpio_chip, {}, {}) : fail(wiring.error());
        if (!chip) add("body.file", fail(chip.error()));
    }
    if (config.body != "driver") {
        const auto known = sensors_of(config);
        if (known)
            add("telemetry.sensors_off", check_sensor_names(config.sensors_off, *known));
        else if (config.body == "sim")
            add("body.file", fail(known.error()));
    }
    if (config.body == "driver") add("body.command", check_command("body.command", config.body_command));
    for (const auto& [key, path] :
         {std::pair("body.device", &config.body_device), std::pair("body.watchdog", &config.body_watchdog),
          std::pair("body.heartbeat", &config.body_heartbeat)})
        if (!path->empty()) add(key, check_port(*path));
    return found;
}

Result<std::unique_ptr<RobotBody>> RobotBody::make(const robot::RobotConfig& config, Log& log,
                                                   driver::DriverInlet& inlet, const WaitForGuard& wait) {
    auto made = std::unique_ptr<RobotBody>(new RobotBody);
    if (config.body == "sim") {
        auto plan = plan_of(config);
        if (!plan) return fail(std::move(plan.error()));
        made->world_.emplace(world::World(std::move(*plan)), made->clock_, longest_gap_of_world);
        const auto robot = made->world_->now().add_robot();
        if (!robot) return fail(robot.error());
        made->robot_ = *robot;
        auto body = std::make_unique<robot::SimBody>(*made->world_, *robot);
        made->locked_ = std::make_unique<LockedBody>(
            *body, LockedBody::Deferred{made->clock_, [&sim = *body](Instant at) { sim.cut_motors_at(at); }});
        made->world_->before_advance([&locked = *made->locked_] { locked.apply_cut(); });
        made->body_ = std::move(body);
    } else if (config.body == "linux") {
        auto wiring = wiring_of(config);
        if (!wiring) return fail(std::move(wiring.error()));
        auto gpio = open_gpio(wiring->gpio_chip, robot::gpio_outputs(*wiring), robot::gpio_inputs(*wiring));
        if (!gpio) return fail(std::move(gpio.error()));
        auto body = LinuxBody::open(std::move(*wiring), std::move(*gpio), made->clock_, log);
        if (!body) return fail(std::move(body.error()));
        made->body_ = std::move(*body);
        made->locked_ = std::make_unique<LockedBody>(*made->body_);
    } else if (config.body == "driver") {
        auto body = driver_body(inlet, made->clock_, log, wait);
        if (!body) return fail(std::move(body.error()));
        made->hello_ = (*body)->hello();
        made->body_ = std::move(*body);
        made->locked_ = std::make_unique<LockedBody>(*made->body_);
    } else {
        made->body_ = std::make_unique<motion::NullBody>();
        made->locked_ = std::make_unique<LockedBody>(
            *made->body_, LockedBody::Deferred{made->clock_, [&null = *made->body_](Instant) {
                                                   std::ignore = null.cut_motors();
                                               }});
    }
    return made;
}

std::vector<robot::CubeAway> RobotBody::cubes_around() {
    if (!world_) return {robot::CubeAway{}};
    return locked_->alone([this] { return robot::cubes_around(world_->now(), robot_); })
        .value_or(std::vector<robot::CubeAway>());
}

Result<void> RobotBody::bring_cube(std::size_t cube) {
    if (!world_) return fail(Code::unavailable, "this cube is in no world of the robot; it cannot be moved");
    return locked_->alone([&] { return robot::bring_cube(world_->now(), robot_, cube); })
        .value_or(fail(Code::unavailable, "a call of the body hangs"));
}

std::optional<world::CameraScene> RobotBody::camera_scene(std::span<const Pixel> lights) {
    if (!world_) return std::nullopt;
    return locked_->alone([&] { return world::scene_of(world_->now(), robot_, lights); });
}

}  // namespace caribou::app
