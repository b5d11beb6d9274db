#include "kit/robot/robot_local.hpp"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "adapters/body/robot_lock.hpp"
#include "kit/program/key_place.hpp"
#include "kit/robot/robot_ask.hpp"
#include "kit/robot/robot_state.hpp"
#include "link/command_table.hpp"
#include "platform/event_loop.hpp"
#include "platform/system_clock.hpp"

namespace caribou::app {
namespace {

/// Longer than the robot needs to notice that one of its threads hangs.
constexpr Duration local_limit = std::chrono::seconds(2);
constexpr Duration pause_between_tries = std::chrono::milliseconds(20);
constexpr Duration shortest_try = std::chrono::milliseconds(100);

Exit complain_locally(const std::string& why) {
    fmt::print(stderr, "caribou robot: error: {}\n", why);
    return Exit::failed;
}

/// `name` of this program is shown in the robot's log. `given` is when a person gave the command. If the
/// connection ends before the answer, it connects again within local_limit; the robot knows the command by
/// its id, and executes it once.
Result<link::Answer> ask_locally(const robot::RobotConfig& config, link::Command command,
                                 const std::string& name, double given) {
    const std::string path = state_file(config.name, config.link_record, ".sock");
    EventLoop loop;
    command.id = {static_cast<std::uint64_t>(loop.clock().wall().time_since_epoch().count())};
    const Instant end = loop.clock().now() + local_limit;
    for (;;) {
        const Duration left = std::max<Duration>(end - loop.clock().now(), shortest_try);
        auto answer = ask_robot(Address::unix_path(path), command, name, left, given);
        if (answer || answer.error().code == Code::timed_out || answer.error().code == Code::invalid_argument)
            return answer;
        const bool runs = RobotLock::process_to_signal(lock_path(config)).has_value();
        const std::string why =
            answer.error().message.substr(0, answer.error().message.find("; is anyone listening"));
        if (!runs)
            return fail(
                answer.error().code,
                fmt::format("{} cannot be reached at {}: {}; is it running, and are you its user or root?",
                            config.name, path, why));
        if (loop.clock().now() + pause_between_tries >= end)
            return fail(Code::unavailable,
                        fmt::format("{} runs, but gives no answer at {}: {}; `{}` may have taken effect, "
                                    "`caribou robots` shows it",
                                    config.name, path, why, link::find_command(command.code)->name));
        loop.run_until([] { return false; }, pause_between_tries);
    }
}

std::string hangs(const robot::RobotConfig& config) {
    return fmt::format("{} does not answer within {:.0f} s: it hangs; wait, or start it again", config.name,
                       to_seconds(local_limit));
}

}  // namespace

Exit stop_robot(const robot::RobotConfig& config) {
    const auto answer = ask_locally(config, {.code = link::CommandCode::full_stop}, "caribou robot stop",
                                    SystemClock().boot_seconds());
    if (!answer && answer.error().code == Code::timed_out)
        return complain_locally(fmt::format(
            "{} does not answer within {:.0f} s: it hangs, and has stopped by itself if it could; "
            "`caribou robot power-off` ends it",
            config.name, to_seconds(local_limit)));
    if (!answer) return complain_locally(answer.error().message);
    if (answer->refusal) return complain_locally(to_string(*answer));
    fmt::print("{}: {}\n", config.name, answer->text);
    return Exit::ok;
}

Exit release_robot(const robot::RobotConfig& config) {
    // A full stop that takes effect from now on is not undone.
    const double given = SystemClock().boot_seconds();
    const auto status =
        ask_locally(config, {.code = link::CommandCode::status}, "caribou robot release", given);
    if (!status)
        return complain_locally(status.error().code == Code::timed_out ? hangs(config)
                                                                       : status.error().message);
    if (status->refusal) return complain_locally(to_string(*status));
    const bool drives_itself = status->text.starts_with("RM2");
    if (drives_itself) {
        fmt::print("{} is in RM2 (autonomous): it drives as soon as it is released\n", config.name);
        std::fflush(stdout);
    }
    const auto answer =
        ask_locally(config, {.code = link::CommandCode::release_stop}, "caribou robot release", given);
    if (!answer)
        return complain_locally(answer.error().code == Code::timed_out ? hangs(config)
                                                                       : answer.error().message);
    if (answer->refusal) return complain_locally(to_string(*answer));
    fmt::print("{} is released{}{}\n", config.name, answer->text.empty() ? "" : "; ", answer->text);
    return Exit::ok;
}

Exit power_off_robot(const robot::RobotConfig& config) {
    const auto answer = ask_locally(config, {.code = link::CommandCode::power_off}, "caribou robot power-off",
                                    SystemClock().boot_seconds());
    if (!answer) {
        const auto process = RobotLock::process_to_signal(lock_path(config));
        if (!process || ::kill(*process, SIGPWR) != 0)
            return complain_locally(answer.error().code == Code::timed_out ? hangs(config)
                                                                           : answer.error().message);
        fmt::print("{} does not answer: it was sent SIGPWR, and ends within 15 s\n", config.name);
        return Exit::ok;
    }
    if (answer->refusal) return complain_locally(to_string(*answer));
    fmt::print("{} is off{}{}\n", config.name, answer->text.empty() ? "" : "; ", answer->text);
    return Exit::ok;
}

Result<std::string> ask_about_map(const robot::RobotConfig& config, const std::string& line) {
    const auto answer = ask_locally(config, {.code = link::CommandCode::map, .arguments = {{"line", line}}},
                                    "caribou robot map", SystemClock().boot_seconds());
    if (!answer)
        return fail(answer.error().code,
                    answer.error().code == Code::timed_out ? hangs(config) : answer.error().message);
    if (answer->refusal) return fail(Code::refused, to_string(*answer));
    return answer->text;
}

}  // namespace caribou::app
