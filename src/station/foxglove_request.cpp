#include "station/foxglove_request.hpp"

#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "base/json_node.hpp"

namespace caribou::station {
namespace {

std::unexpected<Error> wrong(std::string what) { return fail(Code::invalid_argument, std::move(what)); }

std::optional<std::uint32_t> id_of(const JsonNode* node) {
    if (!node || !node->is(JsonNode::Kind::number)) return std::nullopt;
    const double number = node->number;
    if (number < 0 || number > std::numeric_limits<std::uint32_t>::max() || number != std::floor(number))
        return std::nullopt;
    return static_cast<std::uint32_t>(number);
}

/// Returns the list of that name, or an error if it is missing or too long.
Result<const JsonNode*> list_of(const JsonNode& request, std::string_view name) {
    const JsonNode* const list = request.find(name);
    if (!list || !list->is(JsonNode::Kind::list)) return wrong(fmt::format("{} should be a list", name));
    if (list->items.size() > FoxgloveLimits::subscriptions)
        return wrong(fmt::format("{} has more than {} entries", name, FoxgloveLimits::subscriptions));
    return list;
}

Result<FoxgloveRequest> read_subscribe(const JsonNode& request) {
    const auto list = list_of(request, "subscriptions");
    if (!list) return fail(list.error());
    FoxgloveRequest read;
    for (const JsonNode& each : (*list)->items) {
        const auto id = id_of(each.find("id"));
        const auto channel = id_of(each.find("channelId"));
        if (!id || !channel) return wrong("a subscription needs id and channelId, whole numbers from 0");
        read.subscribe.push_back({*id, *channel});
    }
    return read;
}

Result<FoxgloveRequest> read_unsubscribe(const JsonNode& request) {
    const auto list = list_of(request, "subscriptionIds");
    if (!list) return fail(list.error());
    FoxgloveRequest read;
    for (const JsonNode& each : (*list)->items) {
        const auto id = id_of(&each);
        if (!id) return wrong("subscriptionIds should be whole numbers from 0");
        read.unsubscribe.push_back(*id);
    }
    return read;
}

}  // namespace

Result<FoxgloveRequest> read_foxglove_request(std::string_view text) {
    const auto request = read_json(text, {.bytes = 256_KiB, .depth = 16, .values = 10'000});
    if (!request) return wrong("malformed JSON: " + request.error().message);
    const JsonNode* const op = request->find("op");
    if (!op || !op->is(JsonNode::Kind::text)) return wrong("a request needs its op, a text");
    if (op->text == "subscribe") return read_subscribe(*request);
    if (op->text == "unsubscribe") return read_unsubscribe(*request);
    return wrong(fmt::format("this station only lets itself be watched: subscribe and unsubscribe, not `{}`",
                             op->text.substr(0, 40)));
}

}  // namespace caribou::station
