// What main reports about the robot: health, status, and simulated faults.

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "robot/fault_names.hpp"
#include "robot/faults_line.hpp"
#include "robot/thread_main.hpp"

namespace caribou::robot {
void ThreadMain::watch_sensors(const TelemetryRound& round) {
    const auto states = sensor_watch_.states(round);
    for (std::size_t i = 0; i < states.size(); ++i) {
        if (states[i] == SensorWatch::State::unknown) continue;
        const std::string fault = faults::silence_of(parts_.body.plan().sensors[i].name);
        const bool is_silent = states[i] == SensorWatch::State::silent;
        if (is_silent == faults_.contains(fault)) continue;
        parts_.log.warning(is_silent ? fault : fmt::format("no longer: {}", fault));
        set_fault(fault, is_silent);
    }
}

std::string ThreadMain::health_json() const {
    data::Health health = health_.copy();
    health.link = parts_.buffers.link_board.copy();
    const auto seen = life_signs_.latest();
    for (std::size_t i = 0; i < thread_count; ++i) {
        const auto who = static_cast<ThreadName>(i);
        const auto found = std::ranges::find(health.threads, to_string(who), &data::ThreadHealth::name);
        if (found == health.threads.end() || seen.at(i).last == Instant{}) continue;
        const Duration silence = now() - seen.at(i).last;
        const Duration limit = who == ThreadName::main ? main_limit : LifeSigns::alive_limit;
        found->last = to_seconds(silence);
        found->state = silence < limit ? data::ThreadState::running : data::ThreadState::late;
    }
    return to_json(health);
}

void ThreadMain::publish_health() {
    data::Health health{.faults = parts_.body.faults()};
    for (const StartUp::Taken& step : start_up_.taken())
        health.steps.push_back({.name = std::string(to_string(step.who)),
                                .took = to_seconds(step.took),
                                .ok = step.why.empty(),
                                .why = step.why});
    const auto seen = life_signs_.latest();
    for (std::size_t i = 0; i < thread_count; ++i) {
        const auto who = static_cast<ThreadName>(i);
        if (!LifeSigns::exists(who, seen.at(i))) continue;
        data::ThreadHealth thread{.name = std::string(to_string(who)), .rate = life_signs_.rate(who)};
        if (const std::string* const why = start_up_.complaint_of(who)) thread.why = *why;
        health.threads.push_back(std::move(thread));
    }
    for (const auto mode : {link::RunMode::rm0, link::RunMode::rm1, link::RunMode::rm2, link::RunMode::rm3,
                            link::RunMode::rm4, link::RunMode::rm5}) {
        ModeWish wish{.mode = mode};
        if (mode == link::RunMode::rm1) wish.reason = link::WaitReason::requested_sleep;
        const auto objection = modes_.objection_to(wish);
        health.may.push_back({.mode = static_cast<std::uint8_t>(mode),
                              .allowed = !objection,
                              .why = objection ? objection->text : std::string()});
    }
    if (!health.faults.empty())
        health.faults.push_back(
            {.name = std::string(link_fault), .about = "the robot neither receives nor sends for a while"});
    health_.write(std::move(health));
}

Result<std::string> ThreadMain::faults(std::string_view line) {
    auto answer = run_faults_line(parts_.body, line, [this](Duration time) {
        parts_.receiver.go_deaf(time);
        parts_.transmission.go_mute(time);
    });
    publish_health();
    return answer;
}

std::string ThreadMain::status() const {
    const motion::MotionReport motion = as_of(parts_.motion.report(), now(), config_.motion.report_limit());
    const auto round = parts_.buffers.telemetry_buffer.copy();
    std::string text = fmt::format(
        "{}{} {}: {}\nmoves {} ({}, {}){}\n", link::to_string(modes_.mode()),
        modes_.wait_reason() ? fmt::format("({})", link::to_string(*modes_.wait_reason())) : "",
        link::to_string(modes_.com_mode()), modes_.why(),
        motion.reason == motion::MotionReason::motion_unknown ? "unknown" : motion::to_string(motion.command),
        motion.winner ? to_string(*motion.winner) : "nobody", to_string(motion.reason),
        motion.stop ? fmt::format(", stopped by {}", to_string(*motion.stop)) : "");
    if (round)
        text += fmt::format("battery {}{}, at {:.2f} {:.2f} m\n", link::level_text(round->summary.battery),
                            round->summary.battery.on_charger ? " on the charger" : "", round->summary.pose.x,
                            round->summary.pose.y);
    const auto& driver = handler_->lease().holder();
    text += fmt::format("driver {}\nfaults {}", driver ? driver->name : "nobody",
                        faults_.empty() ? "none" : fmt::format("{}", fmt::join(faults_, ", ")));
    if (!parts_.not_self_checked.empty())
        text += fmt::format("\nRM2 and RM3 are refused, not self-checked: {}", parts_.not_self_checked);
    if (const std::string* const why = start_up_.complaint_of(ThreadName::ai))
        text += fmt::format("\nbehaviors replaced by one that stands still: {}", *why);
    const LinkBoard link = parts_.buffers.link_board.copy();
    if (link.refused > 0) text += fmt::format("\nrefused {}, the last: {}", link.refused, link.refusal);
    if (link.samples + link.dropped > 0)
        text += fmt::format("\nviews {} sent, {} dropped", link.samples, link.dropped);
    return text;
}

link::StateLine ThreadMain::state_line() const {
    const motion::MotionReport motion = as_of(parts_.motion.report(), now(), config_.motion.report_limit());
    return {.run_mode = modes_.mode(),
            .waits_for = modes_.wait_reason(),
            .com_mode = modes_.com_mode(),
            .stopped = is_latched(motion)};
}

}  // namespace caribou::robot
