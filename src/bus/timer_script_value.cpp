#include "bus/timer_script_value.hpp"

#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "base/trimmed.hpp"

namespace caribou::bus {
namespace {

/// Calculates `a + b * c` from the left, products first. `at_` is the rest of the text.
class Calculation {
public:
    explicit Calculation(std::string_view text) : at_(text) {}

    std::optional<double> result() {
        auto sum = product();
        while (sum && (next_is('+') || next_is('-'))) {
            const char sign = take();
            const auto other = product();
            if (!other) return std::nullopt;
            *sum = sign == '+' ? *sum + *other : *sum - *other;
        }
        at_ = trimmed(at_);
        return sum && at_.empty() && std::isfinite(*sum) ? sum : std::nullopt;
    }

private:
    std::optional<double> product() {
        auto value = number();
        while (value && (next_is('*') || next_is('/'))) {
            const char sign = take();
            const auto other = number();
            if (!other) return std::nullopt;
            *value = sign == '*' ? *value * *other : *value / *other;
        }
        return value;
    }
    std::optional<double> number() {
        at_ = trimmed(at_);
        if (at_.starts_with('+')) at_.remove_prefix(1);
        double value = 0;
        const auto [end, error] =
            std::from_chars(at_.data(), at_.data() + at_.size(), value, std::chars_format::fixed);
        if (error != std::errc{}) return std::nullopt;
        at_.remove_prefix(static_cast<std::size_t>(end - at_.data()));
        return value;
    }
    bool next_is(char c) {
        at_ = trimmed(at_);
        return at_.starts_with(c);
    }
    char take() {
        const char c = at_.front();
        at_.remove_prefix(1);
        return c;
    }

    std::string_view at_;
};

}  // namespace

std::string replace_macros(std::string_view text,
                           const std::function<std::optional<std::string>(std::string_view name)>& value_of) {
    std::string out;
    while (!text.empty()) {
        const std::size_t dollar = std::min(text.find('$'), text.size());
        out += text.substr(0, dollar);
        text.remove_prefix(dollar);
        if (text.empty()) break;
        const char open = text.size() > 1 ? text[1] : '\0';
        const std::size_t end = open == '['   ? text.find(']')
                                : open == '(' ? text.find(')')
                                              : std::string::npos;
        const auto value = end == std::string::npos ? std::nullopt : value_of(text.substr(2, end - 2));
        out += value ? std::string_view(*value) : text.substr(0, 1);
        text.remove_prefix(value ? end + 1 : 1);
    }
    return out;
}

std::string calculate_braces(std::string text) {
    for (std::size_t close = text.find('}'); close != std::string::npos; close = text.find('}', close)) {
        const std::size_t open = text.rfind('{', close);
        const auto result =
            open == std::string::npos
                ? std::nullopt
                : Calculation(std::string_view(text).substr(open + 1, close - open - 1)).result();
        if (result) {
            const std::string number = short_number(*result);
            text.replace(open, close - open + 1, number);
            close = open + number.size();
        } else {
            ++close;
        }
    }
    return text;
}

std::string short_number(double number) {
    std::string text = fmt::format("{:.6f}", number);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.ends_with('.')) text.pop_back();
    return text == "-0" ? "0" : text;
}

}  // namespace caribou::bus
