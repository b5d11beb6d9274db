#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "base/limits.hpp"

namespace caribou {

/// A value of a JSON text that knows where it stands.
struct JsonNode {
    enum class Kind : std::uint8_t { null, truth, number, text, list, object };

    Kind kind = Kind::null;
    bool truth = false;
    double number = 0;
    std::string text{};
    std::vector<JsonNode> items{};  ///< of a list, or the values of an object, in the order of the text
    std::string key{};              ///< of a value inside an object
    std::size_t offset = 0;         ///< of its first byte
    std::size_t key_offset = 0;     ///< of its key's first quote; inside lists as offset

    bool is(Kind k) const { return kind == k; }
    /// The first value of that key. Null: none, or this is no object.
    const JsonNode* find(std::string_view name) const;
};

/// `a list`, `a number`: for messages.
std::string_view name_of(JsonNode::Kind kind);

struct JsonLimits {
    std::size_t bytes = 4_MiB;
    std::size_t depth = 256;
    std::size_t values = 1'000'000;
};

struct JsonFault {
    std::size_t offset;
    std::string message;
};

/// Reads one JSON text (RFC 8259, UTF-8); `//` and `/* */` comments count as blanks. Never throws and
/// needs no more stack than its caller, whatever the text.
std::expected<JsonNode, JsonFault> read_json(std::string_view text, const JsonLimits& limits = {});

}  // namespace caribou
