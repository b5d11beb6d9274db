#include "caribou/robot_body.hpp"

#include <tuple>

#include "motion/null_body.hpp"
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

Result<void> RobotBody::check(const robot::RobotConfig& config) {
    if (config.body == "linux")
        if (auto wiring = wiring_of(config); !wiring) return fail(std::move(wiring.error()));
    if (config.body == "sim")
        if (auto plan = plan_of(config); !plan) return fail(std::move(plan.error()));
    return {};
}

Result<std::unique_ptr<RobotBody>> RobotBody::make(const robot::RobotConfig& config, Log& log) {
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
