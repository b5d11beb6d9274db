#include "caribou/robot_body.hpp"

#include <unistd.h>

#include <sstream>
#include <tuple>

#include <fmt/format.h>

#include "loop/duration_text.hpp"
#include "motion/null_body.hpp"
#include "platform/environment.hpp"
#include "platform/linux_body.hpp"
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
        wait(std::chrono::milliseconds(2));
    }
    return fail(Code::timed_out, fmt::format("the driver of body.command is not ready within {}",
                                             duration_text(driver_limit)));
}

/// Whether a name is that of a program: a path, or one that is found in PATH.
bool is_program(const std::string& name) {
    if (name.find('/') != std::string::npos) return ::access(name.c_str(), X_OK) == 0;
    std::stringstream folders(environment("PATH").value_or(""));
    for (std::string folder; std::getline(folders, folder, ':');)
        if (::access((folder + "/" + name).c_str(), X_OK) == 0) return true;
    return false;
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

motion::DriverFacts facts_of(const driver::Hello& hello) {
    motion::DriverFacts facts;
    if (hello.stops_without_feed_ms >= 0)
        facts.stops_without_feed = std::chrono::milliseconds(hello.stops_without_feed_ms);
    for (const std::uint8_t byte : hello.stop_frame) facts.stop_frame.push_back(static_cast<std::byte>(byte));
    return facts;
}

Result<void> RobotBody::check(const robot::RobotConfig& config) {
    if (config.body == "linux")
        if (auto wiring = wiring_of(config); !wiring) return fail(std::move(wiring.error()));
    if (config.body == "sim")
        if (auto plan = plan_of(config); !plan) return fail(std::move(plan.error()));
    if (config.body == "driver" && !is_program(config.body_command.front()))
        return fail(
            Code::not_found,
            fmt::format("body.command: `{}` is not an executable file; expected a path, or a program in PATH",
                        config.body_command.front()));
    return {};
}

Result<std::unique_ptr<RobotBody>> RobotBody::make(const robot::RobotConfig& config, Log& log,
                                                   driver::DriverInlet& inlet, const WaitForGuard& wait) {
    auto made = std::unique_ptr<RobotBody>(new RobotBody);
    if (config.body == "sim") {
        auto plan = plan_of(config);
        if (!plan) return fail(std::move(plan.error()));
        made->world_.emplace(world::World(std::move(*plan)), made->clock_);
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

}  // namespace caribou::app
