#pragma once

#include <concepts>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "base/json_node.hpp"
#include "base/result.hpp"

namespace caribou::data {

/// For lists without a limit of their own; the JSON text as a whole has one.
inline constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();

struct Limits {
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
};

/// Used by generated code to read a JSON tree into structs. Keeps the first error, with the path to it; after
/// an error, values are read no further.
class JsonReading {
public:
    explicit JsonReading(std::string_view name) : path_(name) {}

    /// Code::malformed: `status.battery.level: expected a number, found a text`.
    Result<void> outcome() const;

    bool is_object(const JsonNode& node) { return expect(node, JsonNode::Kind::object); }
    bool is_tuple(const JsonNode& node, std::size_t size);
    /// Calls `read` with the member of that name, if there is one.
    template <class Read>
    void field(const JsonNode& object, std::string_view name, Read read) {
        if (const JsonNode* const found = object.find(name)) at("." + std::string(name), *found, read);
    }
    template <class Read>
    void list(const JsonNode& node, std::size_t limit, Read read) {
        if (expect(node, JsonNode::Kind::list) && fits(node, limit)) each(node, read);
    }
    /// A list of exactly `size` elements. `read` is called with the element and its index.
    template <class Read>
    void fixed_list(const JsonNode& node, std::size_t size, Read read) {
        if (!is_tuple(node, size)) return;
        std::size_t i = 0;
        each(node, [&](const JsonNode& item) { read(item, i++); });
    }
    /// An object whose keys are data.
    template <class Read>
    void map(const JsonNode& node, std::size_t limit, Read read) {
        if (!expect(node, JsonNode::Kind::object) || !fits(node, limit)) return;
        for (const JsonNode& item : node.items) at("." + item.key, item, read);
    }

    void truth(const JsonNode& node, bool& into);
    void text(const JsonNode& node, std::string& into, std::size_t limit = no_limit);
    template <std::floating_point T>
    void real(const JsonNode& node, T& into, Limits limits = {}) {
        if (const auto value = number(node, limits)) into = static_cast<T>(*value);
    }
    /// null is read as NaN.
    template <std::floating_point T>
    void real_or_null(const JsonNode& node, T& into, Limits limits = {}) {
        if (node.is(JsonNode::Kind::null))
            into = std::numeric_limits<T>::quiet_NaN();
        else
            real(node, into, limits);
    }
    template <std::integral T>
    void integer(const JsonNode& node, T& into, Limits limits = {}) {
        // The greatest value of a 64-bit type has no double of its own; the double above it is excluded.
        constexpr double low = static_cast<double>(std::numeric_limits<T>::min());
        constexpr double high = static_cast<double>(std::numeric_limits<T>::max());
        if (const auto value = whole(node, limits); value && !error_) {
            if (*value < low || *value > high || (sizeof(T) == 8 && *value >= high))
                refuse("the number does not fit");
            else
                into = static_cast<T>(*value);
        }
    }
    template <class Enum>
    void choice(const JsonNode& node, Enum& into) {
        if (expect(node, JsonNode::Kind::text) && !from_text(node.text, into))
            refuse("unknown value `" + node.text + "`");
    }

private:
    template <class Read>
    void at(const std::string& step, const JsonNode& node, Read& read) {
        if (error_) return;
        const std::size_t size = path_.size();
        path_ += step;
        read(node);
        path_.resize(size);
    }
    template <class Read>
    void each(const JsonNode& node, Read read) {
        for (std::size_t i = 0; i < node.items.size(); ++i)
            at("[" + std::to_string(i) + "]", node.items[i], read);
    }
    bool expect(const JsonNode& node, JsonNode::Kind kind);
    bool fits(const JsonNode& node, std::size_t limit);
    std::optional<double> number(const JsonNode& node, Limits limits);
    std::optional<double> whole(const JsonNode& node, Limits limits);
    void refuse(const std::string& what);

    std::string path_;
    std::optional<std::string> error_;
};

}  // namespace caribou::data
