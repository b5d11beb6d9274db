#include "station/api_request.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "base/json_node.hpp"
#include "base/suggestion.hpp"
#include "link/command.hpp"
#include "station/fleet_feed.hpp"
#include "station/recording_player.hpp"

namespace caribou::station {
namespace {

using Kind = JsonNode::Kind;
using Type = ApiRequest::Type;

/// The fields of a request.
struct Form {
    Type type;
    std::string name;
    std::vector<std::string> required;
    std::vector<std::string> optional;
};

const std::vector<Form>& forms() {
    static const std::vector<Form> all{
        {Type::command, "command", {"id", "robot", "command"}, {"age", "given"}},
        {Type::stop_all, "stop_all", {"id"}, {"group"}},
        {Type::route, "route", {"id", "robot", "action"}, {"route"}},
        {Type::watch, "watch", {}, {"robots", "views", "rate", "camera"}},
        {Type::record, "record", {"id", "action"}, {"name"}},
        {Type::replay, "replay", {"id", "action"}, {"name", "to", "speed"}},
        {Type::dismiss_stop, "dismiss_stop", {"id", "robot"}, {}},
        {Type::start_again, "start_again", {"id", "robot"}, {}},
        {Type::heartbeat, "heartbeat", {}, {"sent"}},
    };
    return all;
}

std::unexpected<Error> wrong(std::string text) { return fail(Code::invalid_argument, std::move(text)); }

Result<const Form*> form_of(const JsonNode& request) {
    std::vector<std::string> names;
    for (const Form& form : forms()) names.push_back(form.name);
    const JsonNode* const type = request.find("type");
    if (!type || !type->is(Kind::text))
        return wrong("a request is an object with a type: " + listed(names, "or"));
    const auto form = std::ranges::find(forms(), type->text, &Form::name);
    if (form == forms().end())
        return wrong(fmt::format("there is no request `{}`{}", type->text, instead_of(type->text, names)));
    return &*form;
}

/// `stops`: the request is a full stop, which is not refused for a field that it does not have.
Result<void> check_fields(const JsonNode& request, const Form& form, bool stops) {
    std::vector<std::string> known = form.required;
    known.insert(known.end(), form.optional.begin(), form.optional.end());
    known.emplace_back("type");
    for (const JsonNode& field : request.items)
        if (!stops && std::ranges::find(known, field.key) == known.end())
            return wrong(
                fmt::format("{} has no field `{}`{}", form.name, field.key, instead_of(field.key, known)));
    for (const std::string& name : form.required)
        if (!request.find(name)) return wrong(fmt::format("{} needs the field `{}`", form.name, name));
    return {};
}

Result<void> read_id(const JsonNode& node, ApiRequest& into) {
    constexpr double most = 9'007'199'254'740'991;  // largest integer up to which a double is exact
    if (!node.is(Kind::number) || node.number < 0 || node.number > most ||
        std::trunc(node.number) != node.number)
        return wrong("id should be a whole number from 0 to 9007199254740991");
    into.id = static_cast<std::uint64_t>(node.number);
    return {};
}

Result<void> read_rate(const JsonNode& node, ApiRequest& into) {
    if (!node.is(Kind::number) || !(node.number >= ApiLimits::lowest_rate) ||
        node.number > ApiLimits::highest_rate)
        return wrong(fmt::format("rate should be a number from {} to {} (Hz)", ApiLimits::lowest_rate,
                                 ApiLimits::highest_rate));
    into.period = from_seconds(1 / node.number);
    return {};
}

Result<void> read_number(const JsonNode& node, double low, double high, double& into) {
    if (!node.is(Kind::number) || !(node.number >= low) || node.number > high)
        return wrong(fmt::format("{} should be a number from {} to {}", node.key, low, high));
    into = node.number;
    return {};
}

Result<void> read_robots(const JsonNode& node, ApiRequest& into) {
    if (!node.is(Kind::list) || node.items.size() > ApiLimits::watched)
        return wrong(fmt::format("robots should be a list of at most {} names", ApiLimits::watched));
    for (const JsonNode& name : node.items) {
        if (!name.is(Kind::text)) return wrong("robots should be a list of names");
        into.robots.insert(name.text);
    }
    return {};
}

Result<void> read_views(const JsonNode& node, ApiRequest& into) {
    if (!node.is(Kind::list)) return wrong("views should be a list of names");
    into.views.clear();
    for (const JsonNode& name : node.items) {
        const auto view = view_named(name.is(Kind::text) ? name.text : "");
        if (!view) return wrong(view.error().message);
        into.views.insert(*view);
    }
    return {};
}

Result<void> read_camera(const JsonNode& node, ApiRequest& into) {
    static const std::vector<std::string> names{"full", "half", "gray"};
    const auto found = std::ranges::find(names, node.is(Kind::text) ? node.text : "");
    if (found == names.end()) return wrong("camera should be `full`, `half` or `gray`");
    into.camera = views::all_camera_encodings.at(static_cast<std::size_t>(found - names.begin()));
    return {};
}

Result<void> read_field(const JsonNode& node, ApiRequest& into) {
    if (node.key == "type") return {};
    if (node.key == "id") return read_id(node, into);
    if (node.key == "rate") return read_rate(node, into);
    if (node.key == "robots") return read_robots(node, into);
    if (node.key == "age") return read_number(node, 0, ApiLimits::highest_age, into.age);
    if (node.key == "given")
        return read_number(node, -ApiLimits::latest_boot, ApiLimits::latest_boot, into.given.emplace());
    if (node.key == "sent") return read_number(node, 0, ApiLimits::latest_boot, into.sent.emplace());
    if (node.key == "to") return read_number(node, 0, ApiLimits::latest_time, into.to);
    if (node.key == "speed")
        return read_number(node, RecordingPlayer::lowest_speed, RecordingPlayer::highest_speed, into.speed);
    if (node.key == "views") return read_views(node, into);
    if (node.key == "camera") return read_camera(node, into);
    if (!node.is(Kind::text))
        return wrong(fmt::format("{} should be a text, and is {}", node.key, name_of(node.kind)));
    (node.key == "robot"    ? into.robot
     : node.key == "group"  ? into.group
     : node.key == "action" ? into.action
     : node.key == "route"  ? into.route
     : node.key == "name"   ? into.name
                            : into.command) = node.text;
    return {};
}

bool is_full_stop(const JsonNode& request) {
    const JsonNode* const text = request.find("command");
    const auto command =
        text && text->is(Kind::text) ? link::command_from(text->text) : fail(Code::not_found, "");
    return command && command->code == link::CommandCode::full_stop;
}

}  // namespace

Result<views::View> view_named(std::string_view name) {
    if (const auto view = views::view_from(name); view && section_of(*view)) return *view;
    std::vector<std::string> known;
    for (const views::View view : views::all_views)
        if (section_of(view)) known.emplace_back(to_string(view));
    return fail(Code::not_found, fmt::format("there is no view `{}`{}", name, instead_of(name, known)));
}

std::optional<std::uint64_t> request_id(std::string_view text) {
    const auto node = read_json(text, {.bytes = ApiLimits::request, .depth = 8, .values = 1000});
    const JsonNode* const id = node ? node->find("id") : nullptr;
    ApiRequest request;
    if (!id || !read_id(*id, request)) return std::nullopt;
    return request.id;
}

Result<ApiRequest> read_request(std::string_view text) {
    const auto node = read_json(text, {.bytes = ApiLimits::request, .depth = 8, .values = 1000});
    if (!node)
        return fail(Code::malformed,
                    fmt::format("at byte {}: {}", node.error().offset, node.error().message));
    const auto form = form_of(*node);
    if (!form) return fail(form.error());
    const bool stops = (*form)->type == Type::command && is_full_stop(*node);
    if (auto good = check_fields(*node, **form, stops); !good) return fail(std::move(good.error()));
    ApiRequest request{.type = (*form)->type};
    const auto is_required = [&](const JsonNode& field) {
        return std::ranges::find((*form)->required, field.key) != (*form)->required.end();
    };
    for (const JsonNode& field : node->items) {
        if (stops && !is_required(field)) continue;
        // A stop is not refused for a field that only limits it.
        if (request.type == ApiRequest::Type::stop_all && field.key == "group" && field.is(Kind::null))
            continue;
        if (auto good = read_field(field, request); !good) return fail(std::move(good.error()));
    }
    return request;
}

}  // namespace caribou::station
