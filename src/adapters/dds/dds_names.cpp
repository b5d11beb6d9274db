#include "adapters/dds/dds_names.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

namespace caribou {
namespace {

/// Returns whether the word consists of letters, digits and _, and does not start with a digit.
bool is_word(std::string_view word) {
    return !word.empty() && std::isdigit(static_cast<unsigned char>(word[0])) == 0 &&
           std::ranges::all_of(word, [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

constexpr std::string_view topic_prefix = "rt";
constexpr std::string_view type_middle = "::dds_::";

}  // namespace

Result<std::string> to_dds_topic(std::string_view name) {
    const auto wrong = [&](std::string_view why) {
        return fail(Code::invalid_argument, fmt::format("`{}` is not a valid topic on DDS: {}", name, why));
    };
    if (!name.starts_with('/')) return wrong("it has to begin with /");
    for (std::string_view rest = name; !rest.empty();) {
        rest.remove_prefix(1);
        const std::size_t end = std::min(rest.find('/'), rest.size());
        if (!is_word(rest.substr(0, end)))
            return wrong("between two / are letters, digits and _, and no digit comes first");
        rest.remove_prefix(end);
    }
    return fmt::format("{}{}", topic_prefix, name);
}

std::optional<std::string> from_dds_topic(std::string_view name) {
    if (!name.starts_with("rt/")) return {};
    return std::string(name.substr(topic_prefix.size()));
}

Result<std::string> to_dds_type(std::string_view type) {
    const std::size_t first = type.find('/');
    const std::size_t last = type.rfind('/');
    if (first == last || !is_word(type.substr(0, first)) || !is_word(type.substr(last + 1)) ||
        !is_word(type.substr(first + 1, last - first - 1)))
        return fail(Code::invalid_argument,
                    fmt::format("`{}` is not a type on DDS; expected `package/msg/Name`", type));
    return fmt::format("{}::{}{}{}_", type.substr(0, first), type.substr(first + 1, last - first - 1),
                       type_middle, type.substr(last + 1));
}

std::optional<std::string> from_dds_type(std::string_view type) {
    const std::size_t middle = type.find(type_middle);
    const std::size_t colons = type.find("::");
    if (middle == std::string_view::npos || colons >= middle || !type.ends_with('_')) return {};
    return fmt::format(
        "{}/{}/{}", type.substr(0, colons), type.substr(colons + 2, middle - colons - 2),
        type.substr(middle + type_middle.size(), type.size() - middle - type_middle.size() - 1));
}

}  // namespace caribou
