#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace caribou {

/// Writes one JSON text, value by value. Commas are added where needed. The caller closes what it opened and
/// writes a key before each member of an object.
class JsonWriter {
public:
    void begin_object() { open('{'); }
    void end_object() { close('}'); }
    void begin_list() { open('['); }
    void end_list() { close(']'); }
    void key(std::string_view name);
    /// A key and its value: text, bool, integer or number.
    template <class T>
    void member(std::string_view name, const T& value_of) {
        key(name);
        if constexpr (std::same_as<T, bool>)
            truth(value_of);
        else if constexpr (std::integral<T>)
            integer(value_of);
        else if constexpr (std::floating_point<T>)
            number(value_of);
        else
            text(value_of);
    }
    /// The same; null if there is none.
    template <class T>
    void member(std::string_view name, const std::optional<T>& value_of) {
        if (value_of) return member(name, *value_of);
        key(name);
        null();
    }

    void null() { value("null"); }
    void truth(bool value_of) { value(value_of ? "true" : "false"); }
    /// Bytes that are not valid UTF-8 are replaced with U+FFFD.
    void text(std::string_view text);
    template <std::integral T>
    void integer(T number) {
        if constexpr (std::signed_integral<T>)
            value(std::to_string(static_cast<std::int64_t>(number)));
        else
            value(std::to_string(static_cast<std::uint64_t>(number)));
    }
    /// Writes `null` if the number is infinite or NaN. Without `digits`, the shortest text that reads as the
    /// same number.
    void number(double number);
    void number(double number, int digits);
    /// Writes a JSON text as a value. The text must be valid.
    void raw(std::string_view json) { value(json); }
    /// Writes the members of a JSON object, without its braces, into the object that is open. The text must
    /// be an object without space before or after it.
    void raw_members(std::string_view object);

    std::string take() && { return std::move(json_); }

private:
    void open(char bracket);
    void close(char bracket);
    void separate();
    void value(std::string_view json);

    std::string json_;
    bool is_first_ = true;  ///< no comma is needed before what follows
};

}  // namespace caribou
