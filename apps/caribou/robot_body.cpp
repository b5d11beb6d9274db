#include "caribou/robot_body.hpp"

#include "platform/linux_body.hpp"
#include "platform/text_file.hpp"
#include "robot/null_body.hpp"
#include "robot/sim_body.hpp"
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

Result<std::unique_ptr<RobotBody>> RobotBody::make(const robot::RobotConfig& config, Log& log) {
    auto made = std::unique_ptr<RobotBody>(new RobotBody);
    if (config.body == "sim") {
        auto plan = plan_of(config);
        if (!plan) return fail(std::move(plan.error()));
        made->cubes_ = plan->cubes.size();
        made->world_.emplace(world::World(std::move(*plan)), made->clock_);
        const auto robot = made->world_->now().add_robot();
        if (!robot) return fail(robot.error());
        made->body_ = std::make_unique<robot::SimBody>(*made->world_, *robot);
    } else if (config.body == "linux") {
        const LinuxBodySettings settings;
        auto gpio = open_gpio(settings.gpio_chip, gpio_outputs(settings), gpio_inputs(settings));
        if (!gpio) return fail(std::move(gpio.error()));
        auto body = LinuxBody::open(settings, std::move(*gpio), made->clock_, log);
        if (!body) return fail(std::move(body.error()));
        made->body_ = std::move(*body);
    } else {
        made->body_ = std::make_unique<robot::NullBody>();
    }
    made->locked_ = std::make_unique<LockedBody>(*made->body_);
    return made;
}

}  // namespace caribou::app
