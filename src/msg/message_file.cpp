#include "msg/message_file.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "base/number_text.hpp"
#include "base/suggestion.hpp"
#include "base/trimmed.hpp"

namespace caribou::msg {
namespace {

struct Primitive {
    std::string_view name;
    FieldKind kind;
    double low = 0;
    double high = 0;
};

template <class T>
constexpr Primitive integer(std::string_view name, FieldKind kind) {
    return {name, kind, static_cast<double>(std::numeric_limits<T>::lowest()),
            static_cast<double>(std::numeric_limits<T>::max())};
}

constexpr std::array primitives{
    Primitive{"bool", FieldKind::boolean, 0, 1},
    integer<std::uint8_t>("byte", FieldKind::uint8),
    integer<std::uint8_t>("char", FieldKind::uint8),
    integer<std::int8_t>("int8", FieldKind::int8),
    integer<std::uint8_t>("uint8", FieldKind::uint8),
    integer<std::int16_t>("int16", FieldKind::int16),
    integer<std::uint16_t>("uint16", FieldKind::uint16),
    integer<std::int32_t>("int32", FieldKind::int32),
    integer<std::uint32_t>("uint32", FieldKind::uint32),
    integer<std::int64_t>("int64", FieldKind::int64),
    integer<std::uint64_t>("uint64", FieldKind::uint64),
    Primitive{"float32", FieldKind::float32},
    Primitive{"float64", FieldKind::float64},
    Primitive{"string", FieldKind::text},
};

const Primitive* find_primitive(std::string_view name) {
    const auto* const found = std::ranges::find(primitives, name, &Primitive::name);
    return found == primitives.end() ? nullptr : found;
}

bool is_blank(char letter) { return letter == ' ' || letter == '\t' || letter == '\r'; }

/// Removes and returns everything up to the next blank, and the blanks after it.
std::string_view take_word(std::string_view& line) {
    const std::size_t end = static_cast<std::size_t>(std::ranges::find_if(line, is_blank) - line.begin());
    const std::string_view word = line.substr(0, end);
    line.remove_prefix(end);
    while (!line.empty() && is_blank(line.front())) line.remove_prefix(1);
    return word;
}

std::optional<std::size_t> size_in(std::string_view text) {
    std::size_t size = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
    if (error != std::errc() || end != text.data() + text.size() || size == 0) return {};
    return size;
}

/// Reads one line. Each function returns an empty text, or what is wrong.
class LineReader {
public:
    LineReader(std::string_view package, FileField& field) : package_(package), field_(field) {}

    std::string read_type(std::string_view text) {
        const std::string_view whole = text;
        if (const std::size_t open = text.find('['); open != std::string_view::npos) {
            if (!read_array(text.substr(open))) return wrong_type(whole);
            text = text.substr(0, open);
        }
        if (const std::size_t bound = text.find("<="); bound != std::string_view::npos) {
            const auto size = size_in(text.substr(bound + 2));
            if (!size || text.substr(0, bound) != "string") return wrong_type(whole);
            field_.text_bound = *size;
            text = text.substr(0, bound);
        }
        if (const Primitive* primitive = find_primitive(text)) {
            primitive_ = primitive;
            field_.kind = primitive->kind;
            return {};
        }
        return read_message(text, whole);
    }

    /// Reads the default of a field, or what follows the name of a constant.
    std::string read_rest(std::string_view rest, bool is_constant) {
        if (is_constant && (primitive_ == nullptr || field_.array != ArrayKind::none))
            return "a constant is a number, a bool or a string";
        if (rest.empty()) return is_constant ? "the value of the constant is missing" : "";
        if (primitive_ == nullptr) return "a field that is a message has no default";
        if (field_.array != ArrayKind::none || field_.kind == FieldKind::text) return {};
        const auto value = number_of(rest);
        if (!value) return fmt::format("`{}` is not a value of {}", rest, primitive_->name);
        field_.initial = *value;
        return {};
    }

private:
    static std::string wrong_type(std::string_view text) {
        return fmt::format(
            "`{}` is not a type; expected one such as `int32`, `string<=10`, `float64[3]`, `uint8[]`, "
            "`int8[<=5]` or `package/Name`",
            text);
    }

    bool read_array(std::string_view text) {
        if (!text.ends_with(']')) return false;
        text = text.substr(1, text.size() - 2);
        field_.array = ArrayKind::unbounded;
        if (text.empty()) return true;
        const bool is_bounded = text.starts_with("<=");
        field_.array = is_bounded ? ArrayKind::bounded : ArrayKind::fixed;
        const auto size = size_in(is_bounded ? text.substr(2) : text);
        field_.size = size.value_or(0);
        return size.has_value();
    }

    std::string read_message(std::string_view text, std::string_view whole) {
        if (text == "Header") text = "std_msgs/Header";
        if (text == "wstring" || text == "wchar")
            return fmt::format("`{}` is not supported; expected `string`, which is UTF-8", text);
        const std::size_t slash = text.find('/');
        if (slash == std::string_view::npos) {
            if (!is_message_name(text)) return wrong_type(whole);
            if (text.front() >= 'a' && text.front() <= 'z') {
                std::vector<std::string> known;
                for (const Primitive& primitive : primitives) known.emplace_back(primitive.name);
                return fmt::format("there is no type `{}`{}", text, instead_of(std::string(text), known));
            }
            field_.package = package_;
            field_.message = text;
            return {};
        }
        field_.package = text.substr(0, slash);
        std::string_view name = text.substr(slash + 1);
        if (name.starts_with("msg/")) name.remove_prefix(4);
        field_.message = name;
        return is_message_name(field_.package) && is_message_name(field_.message) ? "" : wrong_type(whole);
    }

    std::optional<double> number_of(std::string_view text) const {
        if (field_.kind == FieldKind::boolean) {
            if (text == "true" || text == "True" || text == "1") return 1;
            if (text == "false" || text == "False" || text == "0") return 0;
            return {};
        }
        std::optional<double> value = number_in(text);
        if (text.starts_with("0x") || text.starts_with("0X")) {
            std::uint64_t bits = 0;
            const auto [end, error] = std::from_chars(text.data() + 2, text.data() + text.size(), bits, 16);
            if (error == std::errc() && end == text.data() + text.size()) value = static_cast<double>(bits);
        }
        const bool is_real = field_.kind == FieldKind::float32 || field_.kind == FieldKind::float64;
        if (!value || is_real) return value;
        // The largest numbers of 64 bits are not exact as a double.
        const bool fits = *value >= primitive_->low && *value <= primitive_->high && *value < 0x1p63;
        return fits && *value == std::floor(*value) ? value : std::nullopt;
    }

    std::string_view package_;
    FileField& field_;
    const Primitive* primitive_ = nullptr;
};

/// Reads a line that is not empty. Returns nullopt for a constant.
std::expected<std::optional<FileField>, std::string> read_line(std::string_view line,
                                                               std::string_view package) {
    FileField field;
    LineReader reader(package, field);
    const std::string_view type = take_word(line);
    if (auto wrong = reader.read_type(type); !wrong.empty()) return std::unexpected(std::move(wrong));
    const std::size_t end = std::min(line.find_first_of("= \t\r"), line.size());
    field.name = line.substr(0, end);
    line = trimmed(line.substr(end));
    if (!is_message_name(field.name))
        return std::unexpected(
            fmt::format("a name is missing after `{0}`; expected `{0} name` or `{0} NAME=value`", type));
    const bool is_constant = line.starts_with('=');
    if (auto wrong = reader.read_rest(is_constant ? trimmed(line.substr(1)) : line, is_constant);
        !wrong.empty())
        return std::unexpected(std::move(wrong));
    if (is_constant) return std::optional<FileField>();
    return std::optional(std::move(field));
}

}  // namespace

bool is_message_name(std::string_view text) {
    const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    const auto is_rest = [&](char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '_'; };
    return !text.empty() && is_letter(text.front()) && std::ranges::all_of(text, is_rest);
}

std::expected<std::vector<FileField>, FileFault> read_message_file(std::string_view text,
                                                                   std::string_view package) {
    std::vector<FileField> fields;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        // A `#` inside of a text is in a constant or default, which is not used.
        const std::string_view line = text.substr(begin, std::min(text.find('#', begin), end) - begin);
        const std::string_view code = trimmed(line);
        const std::size_t offset = code.empty() ? begin : static_cast<std::size_t>(code.data() - text.data());
        begin = end + 1;
        if (code.empty()) continue;
        auto field = read_line(code, package);
        if (!field) return std::unexpected(FileFault{offset, std::move(field.error())});
        if (!*field) continue;
        if (std::ranges::find(fields, (*field)->name, &FileField::name) != fields.end())
            return std::unexpected(
                FileFault{offset, fmt::format("there are two fields named `{}`", (*field)->name)});
        (*field)->offset = offset;
        fields.push_back(std::move(**field));
    }
    return fields;
}

}  // namespace caribou::msg
