#include "base/json_node.hpp"

#include <algorithm>

namespace caribou {

const JsonNode* JsonNode::find(std::string_view name) const {
    if (kind != Kind::object) return nullptr;
    const auto found = std::ranges::find(items, name, &JsonNode::key);
    return found == items.end() ? nullptr : &*found;
}

std::string_view name_of(JsonNode::Kind kind) {
    switch (kind) {
        case JsonNode::Kind::null: return "null";
        case JsonNode::Kind::truth: return "true or false";
        case JsonNode::Kind::number: return "a number";
        case JsonNode::Kind::text: return "a text";
        case JsonNode::Kind::list: return "a list";
        case JsonNode::Kind::object: return "an object";
    }
    return "something else";
}

}  // namespace caribou
