#include "guard/guarded_drive.hpp"

#include <signal.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "child/control_group.hpp"
#include "child/process_tree.hpp"
#include "child/self_checked.hpp"
#include "field/stalled_thread.hpp"
#include "platform/system_clock.hpp"

namespace caribou::tests {

std::string_view to_string(Trouble trouble) {
    constexpr std::string_view names[] = {"stopped",
                                          "killed",
                                          "propulsion stopped",
                                          "frozen",
                                          "driver stopped",
                                          "driver stopped at the end",
                                          "driver and guard stopped",
                                          "guard killed"};
    return names[static_cast<std::size_t>(trouble)];
}

GuardedDrive::GuardedDrive() : world_(in_repository("examples/worlds/flat.toml")) {}

std::string GuardedDrive::configuration() const {
    const std::string tree = scratch_.write(
        "turn.json",
        // The robot starts on its charger.
        R"({"base": "turn", "behaviors": [{"class": "repeat", "id": "turn", "allowed_charging": true, )"
        R"("children": [{"class": "act", "id": "drive", "allowed_charging": true, )"
        R"("action": {"drive": "SWIV_LEFT_1", "for": "600s"}}]}]})");
    const std::string driver = program_path() + " world drive " + world_.socket() + " rover";
    const std::string command = !beside_driver_.empty() ? "/bin/sh\", \"-c\", \"/usr/bin/python3 " +
                                                              beside_driver_ + " & exec " + driver
                                : in_own_session_ ? "/bin/sh\", \"-c\", \"setsid " + driver + " & wait"
                                                  : std::regex_replace(driver, std::regex(" "), "\", \"");
    return self_checked(
        scratch_.write("robot.toml", "DefaultRunMode = 2\nDefaultComMode = 0\nReceivePort = 0\nlog = \"" +
                                         (scratch_ / "robot.log").string() + "\"\n[ai]\ntree = \"" + tree +
                                         "\"\n[body]\nkind = \"driver\"\ncommand = [\"" + command +
                                         "\"]\n[link]\nplain = true\nrecord = \"" +
                                         (scratch_ / "rover.link").string() + "\"\n"));
}

std::vector<pid_t> GuardedDrive::beside_driver() const {
    std::vector<pid_t> all;
    if (beside_driver_.empty()) return all;
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
        const std::string name = entry.path().filename();
        if (name.find_first_not_of("0123456789") != std::string::npos) continue;
        const pid_t process = std::stoi(name);
        if (command_line_of(process).contains("python3 " + beside_driver_)) all.push_back(process);
    }
    return all;
}

std::string GuardedDrive::log() const {
    std::stringstream text;
    text << std::ifstream(scratch_ / "robot.log").rdbuf();
    return text.str();
}

std::nullopt_t GuardedDrive::fail_with(std::string why) {
    why_ = std::move(why) + "\n" + log();
    return std::nullopt;
}

std::optional<GuardedDrive::Processes> GuardedDrive::start(const Words& words) {
    std::filesystem::remove(scratch_ / "robot.log");
    program_ = std::make_unique<ChildProcess>(words);
    if (!comes_true([&] { return world_.moves(); })) return fail_with("the robot does not move");
    Processes found;
    const auto below = children_of(program_->id());
    if (below.size() != 1) return fail_with("there is no guard");
    found.guard = below.front();
    for (const pid_t child : children_of(found.guard))
        if (const std::string words = command_line_of(child); words.contains(" robot "))
            found.robot = child;
        else if (words.contains("world drive"))
            found.driver = child;
    if (found.robot < 0 || found.driver < 0)
        return fail_with("robot and driver are not children of the guard");
    return found;
}

std::optional<Duration> GuardedDrive::cut_once(Trouble trouble) {
    std::optional<ControlGroup> group;
    Words words = command({"robot", "--config", configuration()});
    if (trouble == Trouble::frozen || in_control_groups_) {
        group.emplace();
        words = {"/bin/sh", "-c",
                 "echo 0 > " + group->folder() + "/cgroup.procs && exec " + words[0] +
                     " robot --delegated --config " + words[3]};
    }
    const auto processes = start(words);
    if (!processes) return std::nullopt;
    bool has_begun = beside_driver_.empty();
    comes_true([&] { return has_begun = has_begun || (beside_driver().size() > 20 && world_.moves()); });
    if (!has_begun) return fail_with("the program beside the driver does not start others");
    orders_before_ = world_.trace().size();
    std::optional<Duration> time;
    if (trouble == Trouble::frozen) {
        if (!group->freeze("robot", true)) return fail_with("the control group does not freeze");
        time = time_of_cut(std::nullopt);
        group->freeze("robot", false);
    } else {
        time = make_trouble(trouble, *processes);
    }
    // A guard starts the next driver a second after a cut.
    const Duration patience =
        trouble == Trouble::guard_killed ? std::chrono::seconds(5) : std::chrono::milliseconds(800);
    killed_beside_driver_ = comes_true([&] { return beside_driver().empty(); }, patience);
    program_->signal(SIGTERM);
    if (!program_->wait(limit)) return fail_with("the program does not end");
    program_.reset();
    return time;
}

std::optional<Duration> GuardedDrive::make_trouble(Trouble trouble, const Processes& processes) {
    switch (trouble) {
        case Trouble::killed: send_signal(processes.robot, SIGKILL); break;
        case Trouble::propulsion_stopped: {
            const StalledThread propulsion(processes.robot, "propulsion");
            return time_of_cut(std::nullopt);
        }
        case Trouble::driver_stopped: {
            const Instant since = SystemClock().now();
            send_signal(processes.driver, SIGSTOP);
            return time_of_cut(since);
        }
        case Trouble::driver_stopped_at_end: {
            const Instant since = SystemClock().now();
            send_signal(processes.driver, SIGSTOP);
            program_->signal(SIGTERM);
            return time_to_zero(since);
        }
        case Trouble::driver_and_guard_stopped: {
            const Instant since = SystemClock().now();
            send_signal(processes.guard, SIGSTOP);
            send_signal(processes.driver, SIGSTOP);
            const auto time = time_to_zero(since);
            send_signal(processes.guard, SIGCONT);
            return time;
        }
        case Trouble::guard_killed: {
            const Instant since = SystemClock().now();
            send_signal(processes.guard, SIGKILL);
            return time_to_zero(since);
        }
        default: send_signal(processes.robot, SIGSTOP);
    }
    const auto time = time_of_cut(std::nullopt);
    if (trouble == Trouble::stopped) send_signal(processes.robot, SIGCONT);
    return time;
}

std::optional<Instant> GuardedDrive::zero_ordered() {
    std::optional<Instant> at;
    comes_true([&] {
        const auto all = world_.trace();
        // The last change before the trouble moved the robot; the first rest after it counts.
        for (std::size_t i = orders_before_; i < all.size() && !at; ++i)
            if (!all[i].moves()) at = Instant(std::chrono::microseconds(all[i].microseconds));
        return at.has_value();
    });
    return at;
}

std::optional<Duration> GuardedDrive::time_to_zero(Instant since) {
    const auto zero = zero_ordered();
    if (!zero) return fail_with("the world still moves the robot");
    return *zero - since;
}

std::optional<Duration> GuardedDrive::time_of_cut(std::optional<Instant> since) {
    const auto zero = zero_ordered();
    if (!zero) return fail_with("the world still moves the robot");
    static const std::regex pattern(R"(guard: the body is cut: (.*) \(last feed at ([0-9.]+) s)");
    std::optional<Instant> fed;
    comes_true([&] {
        // The last one: on a busy machine the guard may have cut a late driver before.
        const std::string text = log();
        for (std::sregex_iterator at(text.begin(), text.end(), pattern), end; at != end; ++at) {
            reason_ = (*at)[1];
            fed = Instant(from_seconds(std::stod((*at)[2])));
        }
        return fed.has_value();
    });
    if (!fed) return fail_with("the guard has not logged a cut");
    return *zero - since.value_or(*fed);
}

}  // namespace caribou::tests
