#include "kit/program/number_from.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/nearest.hpp"
#include "base/number_text.hpp"
#include "base/suggestion.hpp"
#include "loop/address.hpp"

namespace caribou::app {

CLI::Validator number_from(double low, double high) {
    const auto complain = [low, high](const std::string& text) {
        const auto number = number_in(text);
        if (number && *number >= low && *number <= high) return std::string{};
        return fmt::format("`{}` is not a number from {} to {}", text, low, high);
    };
    return CLI::Validator(complain, fmt::format("[{} - {}]", low, high));
}

CLI::Validator whole_number_from(std::uint64_t low, std::uint64_t high) {
    const auto complain = [low, high](const std::string& text) {
        std::uint64_t number = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        if (error == std::errc() && end == text.data() + text.size() && number >= low && number <= high)
            return std::string{};
        return fmt::format("`{}` is not a whole number from {} to {}", text, low, high);
    };
    return CLI::Validator(complain, fmt::format("[{} - {}]", low, high));
}

CLI::Validator network_address() {
    return CLI::Validator(
        [](const std::string& text) {
            const auto address = Address::parse(text);
            return address ? std::string{} : address.error().message;
        },
        "");
}

CLI::Validator one_of(std::vector<std::string> words) {
    const std::string shown = fmt::format("{}", fmt::join(words, "|"));
    const auto complain = [words = std::move(words)](const std::string& text) {
        if (std::ranges::count(words, text) > 0) return std::string{};
        const auto meant = nearest(text, words);
        return fmt::format("`{}` is not {}{}", text, listed(words, "or"),
                           meant ? fmt::format("; did you mean `{}`?", *meant) : "");
    };
    return CLI::Validator(complain, shown);
}

}  // namespace caribou::app
