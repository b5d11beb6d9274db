#include "bus/timer_script_words.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/number_text.hpp"
#include "base/suggestion.hpp"
#include "base/trimmed.hpp"
#include "bus/mission.hpp"

namespace caribou::bus {
namespace {

constexpr int most_copies = 10'000;

std::unexpected<Error> wrong_word(std::string text) { return fail(Code::invalid_argument, std::move(text)); }

/// Removes and returns the text before the next comma that is not inside of quotes, braces or parentheses.
std::string_view take_field(std::string_view& text) {
    int depth = 0;
    bool quoted = false;
    std::size_t end = 0;
    for (; end < text.size(); ++end) {
        const char c = text[end];
        if (c == '"') quoted = !quoted;
        if (quoted) continue;
        if (c == '{' || c == '(' || c == '[') ++depth;
        if (c == '}' || c == ')' || c == ']') depth = std::max(0, depth - 1);
        if (c == ',' && depth == 0) break;
    }
    const std::string_view field = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(text.size(), end + 1));
    return field;
}

/// The fields `name=value` of a line; a field without `=` has an empty value.
class ScriptFields {
public:
    static Result<ScriptFields> parse(std::string_view text, const std::vector<std::string>& known) {
        ScriptFields fields;
        while (!text.empty()) {
            const std::string_view field = take_field(text);
            if (field.empty()) continue;
            const std::size_t equals = std::min(field.find('='), field.size());
            const std::string name(trimmed(field.substr(0, equals)));
            const auto is_this = [&](const std::string& one) { return same_key(one, name); };
            const auto found = std::ranges::find_if(known, is_this);
            if (found == known.end())
                return wrong_word(fmt::format("there is no `{}` here{}", name, instead_of(name, known)));
            fields.all_.emplace_back(*found, trimmed(field.substr(std::min(equals + 1, field.size()))));
        }
        return fields;
    }
    std::optional<std::string_view> find(std::string_view name) const {
        const auto found = std::ranges::find(all_, name, &std::pair<std::string, std::string>::first);
        if (found == all_.end()) return std::nullopt;
        return std::string_view(found->second);
    }
    Result<double> number(std::string_view name, double otherwise) const {
        const auto text = find(name);
        if (!text) return otherwise;
        if (const auto value = number_in(*text)) return *value;
        return wrong_word(fmt::format("{} is `{}`; expected a number", name, *text));
    }

private:
    std::vector<std::pair<std::string, std::string>> all_;
};

Result<void> read_range(const ScriptFields& fields, TimerMacro& macro) {
    const double edge = macro.is_gaussian ? std::numeric_limits<double>::max() : 0;
    const auto low = fields.number("min", -edge);
    if (!low) return fail(low.error());
    const auto high = fields.number("max", edge);
    if (!high) return fail(high.error());
    const auto snap = fields.number("snap", 0);
    if (!snap) return fail(snap.error());
    if (!macro.is_gaussian && !(fields.find("min") && fields.find("max")))
        return wrong_word("a random variable needs min and max");
    if (*low > *high)
        return wrong_word(fmt::format("min is {} and max {}; expected min <= max", *low, *high));
    if (*snap < 0) return wrong_word(fmt::format("snap is {}; expected 0 or more", *snap));
    macro.range = {*low, *high};
    macro.snap = *snap;
    return {};
}

}  // namespace

std::string NumberSpan::text() const {
    return low == high ? number_text(low) : number_text(low) + ":" + number_text(high);
}

Result<NumberSpan> parse_number_span(std::string_view text) {
    const std::size_t colon = text.find(':');
    const auto low = number_in(trimmed(text.substr(0, colon)));
    const auto high = colon == std::string_view::npos ? low : number_in(trimmed(text.substr(colon + 1)));
    if (!low || !high || *low > *high)
        return wrong_word(fmt::format("`{}` is not a number or a range such as 5:10", text));
    return NumberSpan{*low, *high};
}

Result<TimerEvent> parse_timer_event(std::string_view text) {
    const auto fields = ScriptFields::parse(text, {"var", "val", "time", "amt", "quit"});
    if (!fields) return fail(fields.error());
    TimerEvent event{.variable = std::string(fields->find("var").value_or("")),
                     .quits = fields->find("quit").has_value()};
    if (event.quits == !event.variable.empty())
        return wrong_word("an event needs a variable, `var=NAME`, or is `quit`");
    std::string_view value = fields->find("val").value_or("");
    if (!event.quits && value.empty()) return wrong_word("an event needs a value: val=TEXT");
    event.is_quoted = value.size() >= 2 && value.front() == '"' && value.back() == '"';
    if (event.is_quoted) value = value.substr(1, value.size() - 2);
    event.text = value;
    if (const auto time = fields->find("time")) {
        const auto span = parse_number_span(*time);
        if (!span) return fail(span.error().code, "time: " + span.error().message);
        event.time = *span;
    }
    const auto amount = fields->number("amt", 1);
    if (!amount) return fail(amount.error());
    if (*amount < 1 || *amount > most_copies || *amount != std::floor(*amount))
        return wrong_word(
            fmt::format("amt is {}; expected a whole number from 1 to {}", *amount, most_copies));
    event.amount = static_cast<int>(*amount);
    return event;
}

Result<TimerMacro> parse_timer_macro(std::string_view text) {
    const auto fields =
        ScriptFields::parse(text, {"varname", "min", "max", "key", "snap", "type", "mu", "sigma"});
    if (!fields) return fail(fields.error());
    TimerMacro macro{.name = std::string(fields->find("varname").value_or(""))};
    if (macro.name.empty()) return wrong_word("a random variable needs a name: varname=N");
    const std::string_view key = fields->find("key").value_or("at_start");
    if (same_key(key, "at_reset"))
        macro.drawn = TimerMacro::Drawn::at_reset;
    else if (same_key(key, "at_post"))
        macro.drawn = TimerMacro::Drawn::at_post;
    else if (!same_key(key, "at_start"))
        return wrong_word(fmt::format("key is `{}`; expected at_start, at_reset or at_post", key));
    const std::string_view type = fields->find("type").value_or("uniform");
    macro.is_gaussian = same_key(type, "gaussian");
    if (!macro.is_gaussian && !same_key(type, "uniform"))
        return wrong_word(fmt::format("type is `{}`; expected uniform or gaussian", type));
    if (auto read = read_range(*fields, macro); !read) return fail(std::move(read.error()));
    const auto mu = fields->number("mu", 0);
    if (!mu) return fail(mu.error());
    const auto sigma = fields->number("sigma", 1);
    if (!sigma) return fail(sigma.error());
    if (*sigma < 0) return wrong_word(fmt::format("sigma is {}; expected 0 or more", *sigma));
    macro.mu = *mu;
    macro.sigma = *sigma;
    return macro;
}

double TimerMacro::pick(Random& random) const {
    double value = range.pick(random);
    if (is_gaussian) {
        const double radius = std::sqrt(-2 * std::log(1 - random.unit()));
        value = mu + sigma * radius * std::cos(2 * std::numbers::pi * random.unit());
        value = std::clamp(value, range.low, range.high);
    }
    return snap > 0 ? std::round(value / snap) * snap : value;
}

}  // namespace caribou::bus
