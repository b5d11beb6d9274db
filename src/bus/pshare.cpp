#include "bus/pshare.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/fields.hpp"
#include "bus/wildcard.hpp"
#include "wire/codec.hpp"

namespace caribou::bus {
namespace {

bool same_target(const PshareOutput& a, const PshareOutput& b) { return a.name == b.name && a.to == b.to; }

/// Returns the first message of a datagram: as many bytes as its first field says.
Result<wire::MessageView> message_in(ByteView datagram) {
    FieldReader from(datagram);
    const auto size = from.number<std::uint32_t>();
    if (size < wire::min_message_size || size > datagram.size())
        return fail(Code::malformed, "the length does not fit");
    return wire::decode_message(datagram.first(size));
}

}  // namespace

Result<Pshare::Registration> Pshare::add(const PshareOutput& output, Instant now) {
    if (!output.is_pattern()) {
        if (auto put_there = put(output, output.name.empty() ? output.source : output.name, now); !put_there)
            return fail(std::move(put_there.error()));
        return Registration{output.source, ""};
    }
    const std::string writer = output.writer.empty() ? "*" : output.writer;
    auto& same = patterns_[output.source + ":" + writer];
    if (const auto found =
            std::ranges::find_if(same, [&](const auto& one) { return same_target(one, output); });
        found != same.end())
        *found = output;
    else if (route_count() >= most_routes)
        return fail(Code::limit_exceeded, fmt::format("there are {} routes already", most_routes));
    else
        same.push_back(output);
    expanded_.clear();
    return Registration{output.source, writer};
}

Result<void> Pshare::put(const PshareOutput& output, std::string name, Instant now) {
    auto& there = routes_[output.source];
    Route route{.output = output, .name = std::move(name), .created = now};
    const auto found = std::ranges::find_if(
        there, [&](const Route& one) { return one.name == route.name && one.output.to == output.to; });
    if (found != there.end())
        *found = std::move(route);
    else if (route_count() >= most_routes)
        return fail(Code::limit_exceeded, fmt::format("there are {} routes already", most_routes));
    else
        there.push_back(std::move(route));
    return {};
}

Result<std::size_t> Pshare::add(const PshareInput& input) {
    const auto same =
        std::ranges::find_if(inputs_, [&](const Input& one) { return one.input.at == input.at; });
    if (same != inputs_.end())
        return fail(Code::already_exists, fmt::format("{} is an input already", input.at.text()));
    if (inputs_.size() >= most_inputs)
        return fail(Code::limit_exceeded, fmt::format("there are {} inputs already", most_inputs));
    inputs_.push_back({input});
    return inputs_.size() - 1;
}

void Pshare::expand(const wire::MessageView& value, Instant now) {
    // The variables of the broker itself are shared by their full names only.
    if (value.key.starts_with("DB_") || expanded_.contains(value.key)) return;
    for (const auto& [text, outputs] : patterns_) {
        const PshareOutput& first = outputs.front();
        const Wildcard wildcard{first.writer.empty() ? "*" : first.writer, first.source};
        if (!wildcard.matches(value.key, value.source)) continue;
        expanded_.emplace(value.key);
        for (PshareOutput output : outputs) {
            std::string name = pshare_name(output, value.key);
            output.source = value.key;
            const auto known = routes_.find(value.key);
            const bool is_there =
                known != routes_.end() && std::ranges::any_of(known->second, [&](const Route& route) {
                    return route.name == name && route.output.to == output.to;
                });
            if (!is_there && !name.empty()) std::ignore = put(output, std::move(name), now);
        }
        return;
    }
}

bool Pshare::may_send(Route& route, Instant now) {
    const PshareOutput& limits = route.output;
    if (limits.duration == 0 && route.sent > 0) return false;
    if (limits.duration > 0 && now - route.created > from_seconds(limits.duration)) return false;
    if (limits.max_shares >= 0 && route.sent >= limits.max_shares) return false;
    if (limits.frequency > 0 && route.last && now - *route.last < from_seconds(1 / limits.frequency)) {
        ++route.spared;
        return false;
    }
    return true;
}

std::vector<Pshare::Parcel> Pshare::outgoing(const wire::MessageView& value, std::string_view here,
                                             Instant now) {
    if (value.community != here && !forwards_) {
        ++counts_.foreign;
        return {};
    }
    expand(value, now);
    std::vector<Parcel> parcels;
    const auto found = routes_.find(value.key);
    if (found == routes_.end()) return parcels;
    for (Route& route : found->second) {
        if (!may_send(route, now)) continue;
        wire::MessageView there = value;
        there.type = wire::MessageType::notify;
        there.key = route.name;
        if (wire::encoded_size(there) > largest_message) {
            ++counts_.too_large;
            break;
        }
        Parcel& parcel = parcels.emplace_back(route.output, route.name, Bytes{});
        wire::append_message(parcel.bytes, there);
        route.last = now;
        ++route.sent;
    }
    return parcels;
}

void Pshare::count_replaced(const Parcel& parcel) {
    const auto found = routes_.find(parcel.route.source);
    if (found == routes_.end()) return;
    for (Route& route : found->second) {
        if (&route.output != &parcel.route) continue;
        --route.sent;
        ++route.spared;
    }
}

std::optional<wire::MessageView> Pshare::incoming(std::size_t index, ByteView datagram) {
    Input& input = inputs_.at(index);
    const auto message = message_in(datagram);
    if (!message || message->key.empty()) {
        ++counts_.malformed;
        return std::nullopt;
    }
    const bool has_value = message->is_number() || message->is_string() || message->is_binary();
    if (message->type != wire::MessageType::notify || !has_value) {
        ++counts_.not_a_value;
        return std::nullopt;
    }
    const auto& list = input.input.white_list;
    const auto matches = [&](const std::string& pattern) { return glob_matches(pattern, message->key); };
    if (!list.empty() && std::ranges::none_of(list, matches)) {
        ++counts_.not_listed;
        return std::nullopt;
    }
    ++input.received;
    return *message;
}

std::size_t Pshare::route_count() const {
    std::size_t count = 0;
    for (const auto& [variable, routes] : routes_) count += routes.size();
    for (const auto& [pattern, outputs] : patterns_) count += outputs.size();
    return count;
}

std::string Pshare::output_summary() const {
    std::string text;
    for (const auto& [variable, routes] : routes_) {
        std::string list;
        for (const Route& route : routes)
            list += fmt::format("{}{}:{}", list.empty() ? "" : " & ", route.name, route.output.to.text());
        text += fmt::format("{}{}->{}", text.empty() ? "" : ", ", variable, list);
    }
    return text;
}

std::string Pshare::input_summary() const {
    std::string text;
    for (const Input& input : inputs_) text += (text.empty() ? "" : ",") + input.input.at.text();
    return text;
}

std::string Pshare::table() const {
    std::string text = "Outputs\n";
    for (const auto& [variable, routes] : routes_)
        for (const Route& route : routes)
            text += fmt::format("  {} -> {} at {}: {} sent, {} spared\n", variable, route.name,
                                route.output.to.text(), route.sent, route.spared);
    text += "Inputs\n";
    for (const Input& input : inputs_)
        text += fmt::format("  {}: {} received\n", input.input.at.text(), input.received);
    text +=
        fmt::format("Not sent: {} of other communities, {} too large\n", counts_.foreign, counts_.too_large);
    return text +
           fmt::format("Not accepted: {} malformed, {} not values, {} not in a white list, {} not sealed\n",
                       counts_.malformed, counts_.not_a_value, counts_.not_listed, counts_.not_sealed);
}

}  // namespace caribou::bus
