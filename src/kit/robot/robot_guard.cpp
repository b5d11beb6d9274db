#include "kit/robot/robot_guard.hpp"

#include <unistd.h>

#include <memory>
#include <utility>

#include <fmt/format.h>

#include "adapters/body/guard_process.hpp"
#include "adapters/robot_files/latch_file.hpp"
#include "adapters/robot_files/self_check_file.hpp"
#include "kit/robot/robot_body.hpp"
#include "kit/robot/robot_state.hpp"
#include "platform/background_log.hpp"
#include "platform/console_log.hpp"
#include "platform/file_log.hpp"
#include "platform/own_session.hpp"
#include "platform/print_if_writable.hpp"
#include "platform/text_file.hpp"

namespace caribou::app {
namespace {

Level least_level(const std::string& name) {
    for (const Level level : {Level::debug, Level::info, Level::warning})
        if (to_string(level) == name) return level;
    return Level::error;
}

Result<ConfiguredBody> body_in_file(const std::string& path) {
    const auto text = read_text_file(path, robot::max_config_size);
    if (!text) return fail(text.error());
    const robot::ReadConfig read = robot::read_config(*text, path);
    if (!read.good()) return fail(Code::malformed, read.errors());
    auto plan = guard_plan_of(read.config);
    if (!plan) return fail(std::move(plan.error()));
    if (!*plan) return fail(Code::refused, "the body of this configuration has no guard");
    auto digest = body_digest(read.config);
    if (!digest) return fail(std::move(digest.error()));
    return ConfiguredBody{std::move(**plan), std::move(*digest)};
}

}  // namespace

bool is_real(const robot::RobotConfig& config) { return config.body != "sim" && config.body != "null"; }

Result<std::optional<GuardedBodyPlan>> guard_plan_of(const robot::RobotConfig& config) {
    GuardedBodyPlan plan{
        .device = config.body_device, .watchdog = config.body_watchdog, .heartbeat = config.body_heartbeat};
    if (config.body == "linux") {
        auto wiring = wiring_of(config);
        if (!wiring) return fail(std::move(wiring.error()));
        if (!wiring->guard_line) return std::nullopt;
        plan.way = motion::GuardWay::line;
        plan.gpio_chip = wiring->gpio_chip;
        plan.gpio_line = *wiring->guard_line;
        return plan;
    }
    if (config.body == "driver") {
        plan.way = motion::GuardWay::driver;
        plan.driver = config.body_command;
        return plan;
    }
    return std::nullopt;
}

Result<bool> is_unguarded(const robot::RobotConfig& config) {
    if (!is_real(config)) return false;
    const auto plan = guard_plan_of(config);
    if (!plan) return fail(plan.error());
    return !plan->has_value();
}

Result<void> check_guard(const robot::RobotConfig& config) {
    const auto unguarded = is_unguarded(config);
    if (!unguarded) return fail(unguarded.error());
    if (!*unguarded || config.body_unguarded) return {};
    return fail(
        Code::refused,
        "RM2 and RM3 are refused: nothing outside the robot's process can stop this body; name a line that "
        "the guard owns in `gpio.guard` of the wiring, or set `body.unguarded = true` to drive without "
        "(docs/safety.md)");
}

Result<std::unique_ptr<BackgroundLog>> open_robot_log(const robot::RobotConfig& config) {
    if (config.log.empty())
        return std::make_unique<BackgroundLog>(std::make_unique<ConsoleLog>(least_level(config.log_level)));
    auto file = FileLog::open(config.log, least_level(config.log_level));
    if (!file) return fail(std::move(file.error()));
    return std::make_unique<BackgroundLog>(std::move(*file));
}

Exit run_guarded(const robot::RobotConfig& config, const std::string& path, const GuardedBodyPlan& plan,
                 std::vector<std::string> words, bool delegated, const std::optional<RobotLock>& lock) {
    const auto complain = [](const Error& error) {
        print_if_writable(STDERR_FILENO, fmt::format("caribou guard: error: {}\n", error.message));
        return Exit::failed;
    };
    const auto digest = body_digest(config);
    if (!digest) return complain(digest.error());
    const SharedProcessId robot;
    const auto waited = continue_in_own_session(robot);
    if (!waited) return complain(waited.error());
    if (*waited) return Exit{**waited};
    auto log = open_robot_log(config);
    if (!log) return complain(log.error());
    GuardOptions options{.robot = std::move(words),
                         .body = {plan, *digest},
                         .read_body = [&path] { return body_in_file(path); },
                         .store_stop =
                             [&] {
                                 const auto stored =
                                     store_stop(latch_path(config), motion::StopCause::thread_silent);
                                 if (!stored) (*log)->error("latch not stored: " + stored.error().message);
                             },
                         .on_robot_started = [&robot](pid_t id) { robot.set(id); },
                         .delegated = delegated};
    if (lock) {
        options.environment = {lock->setting()};
        options.inherited = lock->descriptors();
    }
    const auto status = run_guard(options, **log);
    if (!status) return complain(status.error());
    return Exit{*status};
}

}  // namespace caribou::app
