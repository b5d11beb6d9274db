#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "base/limits.hpp"

namespace caribou {

/// A value in a JSON text, with its position in that text.
struct JsonNode {
    enum class Kind : std::uint8_t { null, truth, number, text, list, object };

    Kind kind = Kind::null;
    bool truth = false;
    double number = 0;
    std::string text{};
    std::vector<JsonNode> items{};  ///< of a list, or the values of an object, in source order
    std::string key{};              ///< of a member of an object
    std::size_t offset = 0;         ///< of the first byte of the value
    std::size_t key_offset = 0;     ///< of the opening quote of its key; equals offset in lists

    bool is(Kind k) const { return kind == k; }
    /// Returns the first member with this key, or nullptr if there is none or this is not an object.
    const JsonNode* find(std::string_view name) const;
};

/// Returns the name of a kind for error messages, such as `a list` or `a number`.
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

/// Parses one JSON text (RFC 8259, UTF-8); `//` and `/* */` comments are treated as whitespace. Returns the
/// first fault if the text is malformed or exceeds a limit. Never throws. The parser does not recurse, so its
/// stack use does not depend on the text.
std::expected<JsonNode, JsonFault> read_json(std::string_view text, const JsonLimits& limits = {});

}  // namespace caribou
