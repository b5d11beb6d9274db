#include "station/mark_finder.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/json_node.hpp"
#include "base/limits.hpp"
#include "data/foxglove_log.hpp"
#include "station/fleet_picture.hpp"
#include "station/topic.hpp"

namespace caribou::station {
namespace {

using data::MarkKind;

constexpr JsonLimits mark_limits{.bytes = 64_KiB, .depth = 16, .values = 10'000};

bool is_connected(const data::Status& status) {
    return status.mode == data::StationMode::run1 || status.mode == data::StationMode::run2;
}

bool is_off(const data::Status& status) { return status.presence == data::Presence::off; }

std::string text_of_mode(const data::Modes& modes) {
    return run_mode_text({.status = {.robot = data::RobotStatus{modes}}});
}

bool has(const std::vector<std::string>& list, const std::string& text) {
    return std::ranges::find(list, text) != list.end();
}

}  // namespace

bool MarkFinder::read_on(int messages) {
    for (int i = 0; i < messages; ++i) {
        const auto message = reader_.next();
        if (!message) return true;
        take_message(*message);
    }
    return false;
}

void MarkFinder::take_message(const wire::McapMessage& message) {
    const auto topic = topic_name_in(message.channel->topic);
    const bool is_status = topic && topic->kind == to_string(Topic::status);
    const bool is_report = topic && (topic->kind == to_string(Topic::log) || topic->kind == "report");
    if (!is_status && !is_report) return;
    const auto node = read_json(text_of(message.data), mark_limits);
    if (!node) return;
    at_ = static_cast<double>(message.log_time) / 1e9;
    robot_ = topic->robot;
    if (is_report) {
        // Version 1 recorded `text`.
        const JsonNode* text = node->find("message");
        if (!text) text = node->find("text");
        if (text && text->is(JsonNode::Kind::text)) add(MarkKind::report, text->text);
        return;
    }
    auto status = data::from_json<data::Status>(*node, "status");
    if (!status) return;
    const auto [entry, is_first] = known_.try_emplace(robot_);
    Known& known = entry->second;
    if (is_first) known.is_connected = is_connected(*status), known.is_off = is_off(*status);
    take_connection(known, *status);
    if (status->robot) {
        take_modes(known, *status->robot);
        take_stop(known, status->robot->stopped);
        take_faults(known, status->robot->faults);
        take_behavior(known, status->robot->behavior);
        return;
    }
    if (status->acknowledged_mode)
        take_modes(known,
                   {.run_mode = *status->acknowledged_mode, .waits_for = status->acknowledged_waits_for});
    if (status->acknowledged_stop) take_stop(known, *status->acknowledged_stop);
}

void MarkFinder::take_connection(Known& known, const data::Status& now) {
    if (std::exchange(known.is_connected, is_connected(now)) != known.is_connected)
        add(MarkKind::link, known.is_connected ? "connected"
                            : now.why.empty()  ? "connection lost"
                                               : fmt::format("connection lost: {}", now.why));
    if (std::exchange(known.is_off, is_off(now)) != known.is_off && known.is_off)
        add(MarkKind::mode, now.off_reason.empty() ? "off" : fmt::format("off: {}", now.off_reason));
}

void MarkFinder::take_modes(Known& known, const data::Modes& modes) {
    const auto before = std::exchange(known.modes, modes);
    if (!before) return;
    const std::string old = text_of_mode(*before);
    if (const std::string mode = text_of_mode(modes); mode != old)
        add(MarkKind::mode, fmt::format("run mode {} (before: {})", mode, old));
}

void MarkFinder::take_stop(Known& known, bool stopped) {
    if (std::exchange(known.stopped, stopped).value_or(stopped) == stopped) return;
    add(stopped ? MarkKind::stop : MarkKind::release, stopped ? "stopped" : "stop released");
}

void MarkFinder::take_faults(Known& known, const std::vector<std::string>& faults) {
    const auto before = std::exchange(known.faults, faults);
    if (!before) return;
    for (const std::string& fault : faults)
        if (!has(*before, fault)) add(MarkKind::fault, fmt::format("fault: {}", fault));
    for (const std::string& fault : *before)
        if (!has(faults, fault)) add(MarkKind::fault, fmt::format("fault ended: {}", fault));
}

void MarkFinder::take_behavior(Known& known, const std::string& began) {
    const auto ended = std::exchange(known.behavior, began);
    if (!ended || *ended == began) return;
    add(MarkKind::behavior, ended->empty()  ? fmt::format("behavior {} began", began)
                            : began.empty() ? fmt::format("behavior {} ended", *ended)
                                            : fmt::format("behavior {} ended, {} began", *ended, began));
}

void MarkFinder::add(data::MarkKind kind, std::string text) {
    marks_.push_back({.at = at_, .robot = robot_, .kind = kind, .text = std::move(text)});
}

data::MarksMessage MarkFinder::take() {
    const std::size_t all = marks_.size();
    if (all > max_marks)
        std::erase_if(marks_, [](const auto& mark) { return mark.kind == MarkKind::behavior; });
    marks_.resize(std::min(marks_.size(), max_marks));
    std::ranges::stable_sort(marks_, {}, &data::Mark::at);
    const auto omitted = static_cast<std::uint32_t>(all - marks_.size());
    return {.marks = std::move(marks_), .omitted = omitted};
}

}  // namespace caribou::station
