#include "data/json_reading.hpp"

#include <cmath>

#include <fmt/format.h>

namespace caribou::data {

Result<void> JsonReading::outcome() const {
    if (error_) return fail(Code::malformed, *error_);
    return {};
}

void JsonReading::refuse(const std::string& what) {
    if (!error_) error_ = path_ + ": " + what;
}

bool JsonReading::expect(const JsonNode& node, JsonNode::Kind kind) {
    if (!node.is(kind)) refuse(fmt::format("expected {}, found {}", name_of(kind), name_of(node.kind)));
    return node.is(kind);
}

bool JsonReading::fits(const JsonNode& node, std::size_t limit) {
    if (node.items.size() > limit)
        refuse(fmt::format("{} elements; the limit is {}", node.items.size(), limit));
    return node.items.size() <= limit;
}

bool JsonReading::is_tuple(const JsonNode& node, std::size_t size) {
    if (!expect(node, JsonNode::Kind::list)) return false;
    if (node.items.size() != size)
        refuse(fmt::format("expected {} elements, found {}", size, node.items.size()));
    return node.items.size() == size;
}

void JsonReading::truth(const JsonNode& node, bool& into) {
    if (expect(node, JsonNode::Kind::truth)) into = node.truth;
}

void JsonReading::text(const JsonNode& node, std::string& into, std::size_t limit) {
    if (!expect(node, JsonNode::Kind::text)) return;
    if (node.text.size() > limit)
        refuse(fmt::format("a text of {} bytes; the limit is {}", node.text.size(), limit));
    else
        into = node.text;
}

std::optional<double> JsonReading::number(const JsonNode& node, Limits limits) {
    if (!expect(node, JsonNode::Kind::number)) return std::nullopt;
    if (node.number >= limits.low && node.number <= limits.high) return node.number;
    refuse(fmt::format("expected a number from {} to {}, found {}", limits.low, limits.high, node.number));
    return std::nullopt;
}

std::optional<double> JsonReading::whole(const JsonNode& node, Limits limits) {
    const auto value = number(node, limits);
    if (!value || std::trunc(*value) == *value) return value;
    refuse(fmt::format("expected a whole number, found {}", *value));
    return std::nullopt;
}

}  // namespace caribou::data
