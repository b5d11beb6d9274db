#include "station/fleet_picture.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace caribou::station {
namespace {

using Kind = JsonNode::Kind;

// What is missing or of another type is left as it was.

std::string text_in(const JsonNode& node, std::string_view name) {
    const JsonNode* const found = node.find(name);
    return found && found->is(Kind::text) ? found->text : std::string();
}
double number_in(const JsonNode& node, std::string_view name) {
    const JsonNode* const found = node.find(name);
    return found && found->is(Kind::number) ? found->number : 0;
}
bool truth_in(const JsonNode& node, std::string_view name) {
    const JsonNode* const found = node.find(name);
    return found && found->is(Kind::truth) && found->truth;
}
std::vector<std::string> texts_in(const JsonNode& node, std::string_view name) {
    std::vector<std::string> texts;
    if (const JsonNode* const found = node.find(name); found && found->is(Kind::list))
        for (const JsonNode& item : found->items) texts.push_back(item.text);
    return texts;
}

std::optional<double> speed_in(const JsonNode& motion, std::string_view wheel) {
    const JsonNode* const found = motion.find(wheel);
    const JsonNode* const speed = found ? found->find("speed") : nullptr;
    return speed && speed->is(Kind::number) ? std::optional(speed->number) : std::nullopt;
}

void take_status(const JsonNode& status, RobotPicture& robot) {
    robot.mode = text_in(status, "mode");
    robot.why = text_in(status, "why");
    robot.groups = texts_in(status, "groups");
    robot.driver = text_in(status, "driver");
    robot.stale = truth_in(status, "stale");
    robot.run_mode = text_in(status, "run_mode");
    robot.waits_for = text_in(status, "waits_for");
    robot.com_mode = text_in(status, "com_mode");
    robot.stopped = truth_in(status, "stopped");
    robot.behavior = text_in(status, "behavior");
    robot.faults = texts_in(status, "faults");
    if (const JsonNode* const battery = status.find("battery")) robot.battery = number_in(*battery, "level");
}

void take_motion(const JsonNode& motion, RobotPicture& robot) {
    robot.at.reset();
    if (!motion.is(Kind::object)) return;
    robot.at = number_in(motion, "at");
    if (const JsonNode* const pose = motion.find("pose"))
        robot.pose = {number_in(*pose, "x"), number_in(*pose, "y"), number_in(*pose, "heading")};
    robot.movement = text_in(motion, "movement");
    robot.right_speed = speed_in(motion, "right");
    robot.left_speed = speed_in(motion, "left");
    robot.winner = text_in(motion, "winner");
    robot.reason = text_in(motion, "reason");
}

void take_route(const JsonNode& route, RobotPicture& robot) {
    robot.route = {};
    if (!route.is(Kind::object)) return;
    robot.route.state = text_in(route, "state");
    robot.route.why = text_in(route, "why");
    robot.route.name = text_in(route, "name");
    robot.route.next = static_cast<std::size_t>(std::max(0.0, number_in(route, "next")));
    if (const JsonNode* const points = route.find("points"))
        for (const JsonNode& point : points->items)
            if (point.items.size() == 2)
                robot.route.points.push_back({point.items[0].number, point.items[1].number});
}

}  // namespace

std::string to_string(const ToldAnswer& answer) {
    const std::string& what = answer.refusal.empty() ? answer.kind : answer.refusal;
    return answer.text.empty() ? what : fmt::format("{}: {}", what, answer.text);
}

Result<void> FleetPicture::take(std::string_view message) {
    const auto node = read_json(message, {.bytes = 64_MiB, .depth = 32, .values = 10'000'000});
    if (!node)
        return fail(Code::malformed, fmt::format("the station speaks no JSON: {}", node.error().message));
    const std::string type = text_in(*node, "type");
    if (node->find("now")) now_ = number_in(*node, "now");
    if (type == "hello") {
        you_ = text_in(*node, "you");
        role_ = text_in(*node, "role");
    } else if (type == "state") {
        take_state(*node);
    } else if (type == "answer") {
        answers_.push_back({static_cast<std::uint64_t>(number_in(*node, "id")), text_in(*node, "kind"),
                            text_in(*node, "refusal"), text_in(*node, "text"), truth_in(*node, "final")});
    } else if (type == "report") {
        notices_.push_back(fmt::format("{}: {}", text_in(*node, "robot"), text_in(*node, "text")));
    } else if (type == "refused") {
        const auto count = [&](const char* what) {
            return static_cast<std::uint64_t>(number_in(*node, what));
        };
        refused_ = {count("datagrams"), count("robots"), count("doubles"), count("handshakes")};
    } else if (type == "error") {
        notices_.push_back(text_in(*node, "text"));
    }
    return {};
}

void FleetPicture::take_state(const JsonNode& message) {
    if (truth_in(message, "full")) robots_.clear();
    complete_ = true;
    const JsonNode* const robots = message.find("robots");
    if (!robots) return;
    for (const JsonNode& robot : robots->items) {
        RobotPicture& picture = robots_[robot.key];
        if (const JsonNode* const status = robot.find("status")) take_status(*status, picture);
        if (const JsonNode* const motion = robot.find("motion")) take_motion(*motion, picture);
        if (const JsonNode* const route = robot.find("route")) take_route(*route, picture);
    }
}

}  // namespace caribou::station
