#include "bus/pshare_words.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/number_text.hpp"
#include "base/suggestion.hpp"
#include "base/trimmed.hpp"
#include "bus/wildcard.hpp"

namespace caribou::bus {
namespace {

constexpr std::string_view channel_prefix = "multicast_";
constexpr int highest_port = 65535;

std::vector<std::string_view> parts_of(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    while (true) {
        const std::size_t end = text.find(separator);
        parts.push_back(trimmed(text.substr(0, end)));
        if (end == std::string_view::npos) return parts;
        text.remove_prefix(end + 1);
    }
}

std::string lower(std::string_view text) {
    std::string low(text);
    std::ranges::transform(low, low.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return low;
}

std::optional<int> whole_number(std::string_view text, int low, int high) {
    const auto number = number_in(text);
    if (!number || *number < low || *number > high || *number != static_cast<int>(*number))
        return std::nullopt;
    return static_cast<int>(*number);
}

std::unexpected<Error> wrong(std::string text) { return fail(Code::invalid_argument, std::move(text)); }

Result<PshareAddress> parse_address(std::string_view text, const PshareChannels& channels,
                                    int least_port = 1) {
    if (lower(text).starts_with(channel_prefix)) {
        const auto number =
            whole_number(text.substr(channel_prefix.size()), 0, highest_port - channels.base_port);
        if (!number)
            return wrong(fmt::format("`{}` is not a channel; expected multicast_0 to multicast_{}", text,
                                     highest_port - channels.base_port));
        return PshareAddress{
            Address::ip(channels.group, static_cast<std::uint16_t>(channels.base_port + *number)),
            fmt::format("{}{}", channel_prefix, *number)};
    }
    const std::size_t colon = text.rfind(':');
    const auto port = colon == std::string_view::npos
                          ? std::nullopt
                          : whole_number(text.substr(colon + 1), least_port, highest_port);
    const std::string_view host = trimmed(text.substr(0, colon == std::string_view::npos ? 0 : colon));
    if (!port || host.empty() || host.find_first_of(" \t:") != std::string_view::npos)
        return wrong(fmt::format("`{}` is not an address; expected HOST:PORT or multicast_N", text));
    return PshareAddress{Address::ip(std::string(host), static_cast<std::uint16_t>(*port)), ""};
}

/// The fields of a long form, by name in small letters.
class Fields {
public:
    static Result<Fields> parse(std::string_view text, const std::vector<std::string>& known) {
        Fields fields;
        for (const std::string_view part : parts_of(text, ',')) {
            if (part.empty()) continue;
            const std::size_t equals = part.find('=');
            const std::string name = lower(trimmed(part.substr(0, equals)));
            if (equals == std::string_view::npos) return wrong(fmt::format("`{}` is not NAME=VALUE", part));
            if (std::ranges::find(known, name) == known.end())
                return wrong(fmt::format("there is no `{}` here{}", name, instead_of(name, known)));
            fields.all_.emplace_back(name, trimmed(part.substr(equals + 1)));
        }
        return fields;
    }
    /// Returns the value; empty if there is none.
    std::string_view get(std::string_view name) const {
        const auto found = std::ranges::find(all_, name, &std::pair<std::string, std::string>::first);
        return found == all_.end() ? std::string_view() : std::string_view(found->second);
    }
    Result<double> number(std::string_view name, double otherwise) const {
        const std::string_view text = get(name);
        if (text.empty()) return otherwise;
        if (const auto value = number_in(text)) return *value;
        return wrong(fmt::format("{} is `{}`; expected a number", name, text));
    }

private:
    std::vector<std::pair<std::string, std::string>> all_;
};

/// Splits `VARIABLE:CLIENT`.
void set_source(PshareOutput& output, std::string_view text) {
    const std::size_t colon = text.find(':');
    output.source = trimmed(text.substr(0, colon));
    output.writer = colon == std::string_view::npos ? "" : trimmed(text.substr(colon + 1));
}

Result<void> check_names(const PshareOutput& output) {
    if (output.source.empty()) return wrong("an output needs the name of a variable: src_name=X");
    const bool has_comma = output.source.contains(',') || output.writer.contains(',');
    if (has_comma) return wrong(fmt::format("`{}` has a comma", output.source));
    if (output.name == "^") {
        const bool at_an_end = output.source.starts_with('*') || output.source.ends_with('*');
        if (std::ranges::count(output.source, '*') != 1 || !at_an_end || output.source.contains('?'))
            return wrong(fmt::format(
                "dest_name=^ needs a pattern with one `*`, at its start or end, not `{}`", output.source));
    }
    return {};
}

const std::vector<std::string> output_fields{"src_name",   "dest_name", "route",    "duration", "frequency",
                                             "max_shares", "key",       "priority", "budget"};
const std::vector<std::string> input_fields{"route", "white_list", "key"};

/// Reads the words that the original does not have.
Result<void> read_extensions(const Fields& fields, PshareOutput& output) {
    output.key = fields.get("key");
    const auto priority = fields.number("priority", output.priority);
    if (!priority) return fail(priority.error());
    if (*priority < 0 || *priority > 9 || *priority != static_cast<int>(*priority))
        return wrong(fmt::format("priority is {}; expected a whole number from 0 to 9", *priority));
    output.priority = static_cast<int>(*priority);
    const auto budget = fields.number("budget", output.budget);
    if (!budget) return fail(budget.error());
    if (*budget < 0) return wrong(fmt::format("budget is {}; expected 0 or more bytes per second", *budget));
    output.budget = *budget;
    return {};
}

Result<PshareOutputs> long_output(const Fields& fields, const PshareChannels& channels) {
    PshareOutput output;
    set_source(output, fields.get("src_name"));
    output.name = fields.get("dest_name");
    // A pattern as the new name means the same name.
    if (is_pattern(output.name)) output.name.clear();
    if (auto checked = check_names(output); !checked) return fail(std::move(checked.error()));
    const auto frequency = fields.number("frequency", output.frequency);
    if (!frequency) return fail(frequency.error());
    const auto duration = fields.number("duration", output.duration);
    if (!duration) return fail(duration.error());
    const auto most = fields.number("max_shares", static_cast<double>(output.max_shares));
    if (!most) return fail(most.error());
    if (*frequency < 0)
        return wrong(fmt::format("frequency is {}; expected 0 or more per second", *frequency));
    output.frequency = *frequency;
    output.duration = *duration;
    output.max_shares = static_cast<std::int64_t>(std::clamp(*most, -1.0, 1e15));
    if (auto read = read_extensions(fields, output); !read) return fail(std::move(read.error()));
    if (fields.get("route").empty()) return wrong("an output needs an address: route=HOST:PORT");
    PshareOutputs outputs;
    for (const std::string_view route : parts_of(fields.get("route"), '&')) {
        auto to = parse_address(route, channels);
        if (!to) return fail(std::move(to.error()));
        if (!output.key.empty() && !to->channel.empty())
            return wrong(fmt::format("`{}` cannot be sealed: a sealed route has one receiver", route));
        outputs.push_back(output);
        outputs.back().to = std::move(*to);
    }
    return outputs;
}

/// `[NAME:]host:port[@Hz]` or `[NAME:]multicast_N[@Hz]`.
Result<PshareOutput> short_route(std::string_view text, PshareOutput output, const PshareChannels& channels) {
    if (const std::size_t at = text.find('@'); at != std::string_view::npos) {
        const auto frequency = number_in(text.substr(at + 1));
        if (!frequency || *frequency < 0)
            return wrong(fmt::format("`{}` is not a number of sends per second", text.substr(at + 1)));
        output.frequency = *frequency;
        text = trimmed(text.substr(0, at));
    }
    const auto colons = std::ranges::count(text, ':');
    const bool is_channel = lower(trimmed(text.substr(text.rfind(':') + 1))).starts_with(channel_prefix);
    if (colons == (is_channel ? 1 : 2)) {
        output.name = trimmed(text.substr(0, text.find(':')));
        text = trimmed(text.substr(text.find(':') + 1));
    }
    auto to = parse_address(text, channels);
    if (!to) return fail(std::move(to.error()));
    output.to = std::move(*to);
    if (auto checked = check_names(output); !checked) return fail(std::move(checked.error()));
    return output;
}

Result<PshareOutputs> short_output(std::string_view text, const PshareChannels& channels) {
    const std::size_t arrow = text.find("->");
    if (arrow == std::string_view::npos)
        return wrong(fmt::format("`{}` is neither `src_name=X, route=HOST:PORT` nor `X -> HOST:PORT`", text));
    PshareOutput output;
    set_source(output, trimmed(text.substr(0, arrow)));
    PshareOutputs outputs;
    for (const std::string_view route : parts_of(text.substr(arrow + 2), '&')) {
        auto one = short_route(route, output, channels);
        if (!one) return fail(std::move(one.error()));
        outputs.push_back(std::move(*one));
    }
    return outputs;
}

Result<PshareInputs> long_input(const Fields& fields, const PshareChannels& channels) {
    if (fields.get("route").empty()) return wrong("an input needs an address: route=HOST:PORT");
    PshareInput input;
    for (const std::string_view pattern : parts_of(fields.get("white_list"), '&'))
        if (!pattern.empty()) input.white_list.emplace_back(pattern);
    for (const std::string_view key : parts_of(fields.get("key"), '&'))
        if (!key.empty()) input.keys.emplace_back(key);
    PshareInputs inputs;
    for (const std::string_view route : parts_of(fields.get("route"), '&')) {
        auto at = parse_address(route, channels, 0);
        if (!at) return fail(std::move(at.error()));
        if (!input.keys.empty() && !at->channel.empty())
            return wrong(fmt::format("`{}` cannot be sealed: a sealed route has one sender", route));
        inputs.push_back(input);
        inputs.back().at = std::move(*at);
    }
    return inputs;
}

}  // namespace

std::string PshareAddress::text() const { return to_string(at) + (channel.empty() ? "" : ":" + channel); }

bool PshareOutput::is_pattern() const { return bus::is_pattern(source) || !writer.empty(); }

Result<PshareOutputs> parse_pshare_output(std::string_view text, const PshareChannels& channels) {
    if (!lower(text).contains("route")) return short_output(trimmed(text), channels);
    const auto fields = Fields::parse(text, output_fields);
    return fields ? long_output(*fields, channels) : fail(fields.error());
}

Result<PshareInputs> parse_pshare_input(std::string_view text, const PshareChannels& channels) {
    const bool is_long = lower(text).contains("route");
    const auto fields =
        Fields::parse(is_long ? std::string(text) : fmt::format("route={}", text), input_fields);
    return fields ? long_input(*fields, channels) : fail(fields.error());
}

Result<std::variant<PshareOutputs, PshareInputs>> parse_pshare_command(std::string_view text,
                                                                       const PshareChannels& channels) {
    using Command = std::variant<PshareOutputs, PshareInputs>;
    std::vector<std::string> known{"cmd"};
    known.insert(known.end(), output_fields.begin(), output_fields.end());
    known.emplace_back("white_list");  // "key" is in both
    const auto fields = Fields::parse(text, known);
    if (!fields) return fail(fields.error());
    const std::string what = lower(fields->get("cmd"));
    if (what == "output") {
        auto outputs = long_output(*fields, channels);
        return outputs ? Result<Command>(std::move(*outputs)) : fail(std::move(outputs.error()));
    }
    if (what == "input") {
        auto inputs = long_input(*fields, channels);
        return inputs ? Result<Command>(std::move(*inputs)) : fail(std::move(inputs.error()));
    }
    return wrong(fmt::format("cmd is `{}`; expected output or input", what));
}

std::string pshare_name(const PshareOutput& output, std::string_view variable) {
    if (output.name != "^") return output.name + std::string(variable);
    variable.remove_prefix(output.source.starts_with('*') ? 0 : output.source.size() - 1);
    variable.remove_suffix(output.source.starts_with('*') ? output.source.size() - 1 : 0);
    return std::string(variable);
}

}  // namespace caribou::bus
