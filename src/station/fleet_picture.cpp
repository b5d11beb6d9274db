#include "station/fleet_picture.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "data/error_message.hpp"
#include "data/hello.hpp"
#include "data/refused_message.hpp"
#include "data/report_message.hpp"

namespace caribou::station {
namespace {

using Kind = JsonNode::Kind;

/// Calls `take` with the message, or returns what is wrong with it.
template <class T, class Take>
Result<void> taken(const JsonNode& node, std::string_view name, Take take) {
    auto value = data::from_json<T>(node, name);
    if (!value) return fail(std::move(value.error()));
    take(std::move(*value));
    return {};
}

/// Replaces a section if the station has sent it; null removes it.
template <class T>
Result<void> take_section(const JsonNode& sections, std::string_view name, std::optional<T>& into) {
    const JsonNode* const section = sections.find(name);
    if (!section) return {};
    into.reset();
    if (section->is(Kind::null)) return {};
    return taken<T>(*section, fmt::format("{}.{}", sections.key, name),
                    [&](T value) { into = std::move(value); });
}

std::string text_in(const JsonNode& node, std::string_view name) {
    const JsonNode* const found = node.find(name);
    return found && found->is(Kind::text) ? found->text : std::string();
}

}  // namespace

std::optional<bool> is_stopped(const data::Status& status, double now) {
    if (status.robot && !status.stale) return status.robot->stopped;
    if (now - status.acknowledged_stop_at <= confirmation_limit) return status.acknowledged_stop;
    return std::nullopt;
}

bool was_stopped(const data::Status& status) {
    return status.robot ? status.robot->stopped : status.acknowledged_stop.value_or(false);
}

std::string pending_stop_text(const data::Status& status, double now) {
    if (!status.stop_pending) return {};
    const auto& [since, by, why] = *status.stop_pending;
    return fmt::format("STOP NOT CONFIRMED for {:.0f} s ({}): {}", std::max(0.0, now - since), by,
                       why.empty() ? "no answer yet" : why);
}

std::string run_mode_text(const RobotPicture& robot) {
    if (!robot.status.robot) return "-";
    const data::Modes& modes = *robot.status.robot;
    const std::string_view mode = to_string(modes.run_mode);
    return modes.waits_for ? fmt::format("{}({})", mode, to_string(*modes.waits_for)) : std::string(mode);
}

std::string reason_of_mode(const data::Status& status, double now) {
    if (status.why.empty() || status.mode != data::StationMode::run1) return status.why;
    constexpr std::string_view source = "autopilot: ";
    std::string_view why = status.why;
    if (why.starts_with(source)) why.remove_prefix(source.size());
    return fmt::format("autopilot ended {:.0f} s ago: {}", std::max(0.0, now - status.since), why);
}

std::string to_string(const data::AnswerMessage& answer) {
    const std::string_view what = answer.refusal ? to_string(*answer.refusal) : to_string(answer.kind);
    return answer.text.empty() ? std::string(what) : fmt::format("{}: {}", what, answer.text);
}

Result<void> FleetPicture::take(std::string_view message) {
    const auto node = read_json(message, {.bytes = 64_MiB, .depth = 32, .values = 10'000'000});
    if (!node)
        return fail(Code::malformed,
                    fmt::format("the station sent malformed JSON: {}", node.error().message));
    const std::string type = text_in(*node, "type");
    if (const JsonNode* const now = node->find("now"); now && now->is(Kind::number)) now_ = now->number;
    if (type == "state") return take_state(*node);
    if (type == "hello")
        return taken<data::Hello>(*node, type, [&](data::Hello hello) {
            you_ = std::move(hello.you);
            role_ = hello.role;
        });
    if (type == "answer")
        return taken<data::AnswerMessage>(
            *node, type, [&](data::AnswerMessage answer) { answers_.push_back(std::move(answer)); });
    if (type == "clock")
        return taken<data::ClockMessage>(*node, type,
                                         [&](const data::ClockMessage& clock) { clock_ = clock; });
    if (type == "report")
        return taken<data::ReportMessage>(*node, type, [&](const data::ReportMessage& report) {
            notices_.push_back(fmt::format("{}: {}", report.robot, report.text));
        });
    if (type == "refused")
        return taken<data::RefusedMessage>(*node, type,
                                           [&](const data::RefusedMessage& counts) { refused_ = counts; });
    if (type == "error")
        return taken<data::ErrorMessage>(*node, type,
                                         [&](data::ErrorMessage error) { notices_.push_back(error.text); });
    return {};
}

Result<void> FleetPicture::take_state(const JsonNode& message) {
    const JsonNode* const full = message.find("full");
    if (full && full->truth) {
        robots_.clear();
        replay_ = text_in(message, "replay");
    }
    complete_ = true;
    const JsonNode* const robots = message.find("robots");
    if (!robots) return {};
    for (const JsonNode& sections : robots->items) {
        RobotPicture& picture = robots_[sections.key];
        std::optional<data::Status> status;
        Result<void> outcome = take_section(sections, "status", status);
        if (outcome && sections.find("status")) picture.status = std::move(status).value_or(data::Status{});
        if (outcome) outcome = take_section(sections, "motion", picture.motion);
        if (outcome) outcome = take_section(sections, "route", picture.route);
        if (!outcome) return outcome;
    }
    return {};
}

}  // namespace caribou::station
