#include "base/path_name.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace caribou {
namespace {

bool fits_a_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
}

/// The name for a message: shortened, without anything that a terminal would act on.
std::string printable(std::string_view name) {
    std::string text(name.substr(0, max_path_name));
    std::ranges::replace_if(text, [](char c) { return c < ' ' || c > '~'; }, '?');
    return text;
}

}  // namespace

Result<void> check_path_name(std::string_view name) {
    if (!name.empty() && name.size() <= max_path_name && std::ranges::all_of(name, fits_a_name)) return {};
    return fail(Code::invalid_argument,
                fmt::format("`{}` is not a valid name; expected 1 to {} letters, digits, `-` or `_`",
                            printable(name), max_path_name));
}

Result<void> check_file_name(std::string_view name) {
    const bool fits = std::ranges::all_of(name, [](char c) { return fits_a_name(c) || c == '.'; });
    if (!name.empty() && name.size() <= max_file_name && name.front() != '.' && fits) return {};
    return fail(
        Code::invalid_argument,
        fmt::format("`{}` is not a valid file name; expected 1 to {} letters, digits, `-`, `_` or `.`, "
                    "without a folder",
                    printable(name), max_file_name));
}

}  // namespace caribou
