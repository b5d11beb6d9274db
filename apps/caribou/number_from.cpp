#include "caribou/number_from.hpp"

#include <fmt/format.h>

#include "base/number_text.hpp"

namespace caribou::app {

CLI::Validator number_from(double low, double high) {
    const auto complain = [low, high](const std::string& text) {
        const auto number = number_in(text);
        if (number && *number >= low && *number <= high) return std::string{};
        return fmt::format("`{}` is not a number from {} to {}", text, low, high);
    };
    return CLI::Validator(complain, fmt::format("[{} - {}]", low, high));
}

}  // namespace caribou::app
