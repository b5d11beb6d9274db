#include "sim/bus_audit.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace caribou::sim {

using wire::MessageType;
using wire::MessageView;

std::optional<std::uint64_t> BusAudit::number_in(std::string_view aux) {
    if (!aux.starts_with('#')) return std::nullopt;
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(aux.data() + 1, aux.data() + aux.size(), number);
    if (error != std::errc{} || end != aux.data() + aux.size()) return std::nullopt;
    return number;
}

std::optional<std::uint64_t> BusAudit::latest(std::string_view key) const {
    const auto found = variables_.find(key);
    if (found == variables_.end() || !found->second.latest) return std::nullopt;
    return number_in(found->second.latest->message.aux);
}

wire::DataType BusAudit::type_of(std::string_view key) const {
    const auto found = variables_.find(key);
    return found == variables_.end() || !found->second.latest ? wire::DataType::none : found->second.type;
}

std::optional<std::uint64_t> BusAudit::place_of(std::uint64_t number) const {
    const auto found = places_.find(number);
    if (found == places_.end()) return std::nullopt;
    return found->second;
}

// Messages from clients.

void BusAudit::on_packet_said(StreamNumber connection) {
    Connection& c = connections_[connection];
    if (c.welcome) ++c.packets_said;
}

void BusAudit::on_said(StreamNumber connection, const MessageView& message, Instant now) {
    Connection& c = connections_[connection];
    if (!c.named) return on_name(c, message);
    switch (message.type) {
        case MessageType::notify: return on_write(message, now);
        case MessageType::register_: {
            const Duration interval =
                std::clamp(from_seconds(message.value), Duration::zero(), bus::Exchange::max_interval);
            const Variable& variable = variables_.try_emplace(std::string(message.key)).first->second;
            return c.readers[std::string(message.key)].on_register(interval, variable.latest, now);
        }
        case MessageType::unregister:
            if (const auto found = c.readers.find(message.key); found != c.readers.end())
                found->second.on_unregister();
            return;
        case MessageType::wildcard_register: return on_wildcard(c, message, now);
        case MessageType::wildcard_unregister: return on_wildcard_end(c, message);
        case MessageType::server_request:
            if (message.key == "DB_CLEAR") return on_clear(now);
            c.has_asked = true;
            return;
        default: return;
    }
}

void BusAudit::on_name(Connection& c, const MessageView& message) {
    c.named = true;
    c.name = message.payload;
    c.synchronous = message.key.empty();
}

void BusAudit::on_write(const MessageView& message, Instant now) {
    const auto number = number_in(message.aux);
    if (!number) return note(fmt::format("a value of {} arrived without a number", message.key));
    std::uint64_t& last = last_[std::string(message.source)];
    if (*number <= last)
        note(fmt::format("value {} of {} arrived after #{} of the same writer {}", message.aux, message.key,
                         last, message.source));
    last = *number;

    Variable& variable = variables_.try_emplace(std::string(message.key)).first->second;
    const bool first = !variable.latest;
    if (first)
        variable.type = message.data_type;
    else if (variable.type != message.data_type)
        return;  // the first write sets the type; values of other types are invalid
    else
        variable.latest->replaced = now;
    places_[*number] = writes_.size();
    writes_.push_back({wire::own(message), writes_.size(), now});
    variable.latest = &writes_.back();

    for (auto& [id, c] : connections_) {
        if (first) apply_filters(c, message, now);
        if (const auto found = c.readers.find(message.key); found != c.readers.end())
            found->second.on_write(*variable.latest);
    }
}

/// Patterns are evaluated at the first write of a variable; the first match is used.
void BusAudit::apply_filters(Connection& c, const MessageView& message, Instant now) {
    const auto filter = std::ranges::find_if(
        c.filters, [&](const bus::Wildcard& w) { return w.matches(message.key, message.source); });
    if (filter == c.filters.end()) return;
    ReaderAccount& reader = c.readers[std::string(message.key)];
    if (!reader.registered()) reader.on_register(filter->interval, nullptr, now);
}

void BusAudit::on_wildcard(Connection& c, const MessageView& message, Instant now) {
    const auto wildcard = bus::Wildcard::parse(message.payload);
    if (!wildcard) return note("a client's pattern cannot be read: " + wildcard.error().message);
    for (const auto& [key, variable] : variables_)
        if (variable.latest && wildcard->matches(key, variable.latest->message.source))
            c.readers[key].on_register(wildcard->interval, variable.latest, now);
    const auto same =
        std::ranges::find_if(c.filters, [&](const bus::Wildcard& w) { return w.same_patterns(*wildcard); });
    if (same == c.filters.end())
        c.filters.push_back(*wildcard);
    else
        *same = *wildcard;
    c.filters_ever.push_back(*wildcard);
}

void BusAudit::on_wildcard_end(Connection& c, const MessageView& message) {
    const auto wildcard = bus::Wildcard::parse(message.payload);
    if (!wildcard) return note("a client's pattern cannot be read: " + wildcard.error().message);
    std::erase_if(c.filters, [&](const bus::Wildcard& w) { return w.same_patterns(*wildcard); });
    for (auto& [key, reader] : c.readers) {
        const auto variable = variables_.find(key);
        const Write* const latest = variable == variables_.end() ? nullptr : variable->second.latest;
        if (bus::glob_matches(wildcard->var_pattern, key) &&
            (!latest || bus::glob_matches(wildcard->app_pattern, latest->message.source)))
            reader.on_unregister();
    }
}

void BusAudit::on_clear(Instant now) {
    for (auto& [key, variable] : variables_) {
        if (variable.latest) variable.latest->replaced = now;
        variable.latest = nullptr;
    }
    for (auto& [id, c] : connections_)
        for (auto& [key, reader] : c.readers) reader.on_clear();
}

// Messages from the broker.

void BusAudit::on_packet_told(StreamNumber connection, std::size_t messages) {
    Connection& c = connections_[connection];
    if (messages == 0) note(fmt::format("{} was sent an empty packet", c.name));
    if (!c.welcome) return;
    ++c.packets_told;
    if (c.synchronous && c.packets_told > c.packets_said + 1)  // plus the welcome
        note(fmt::format("{}, which is synchronous, was sent a packet that it had not asked for", c.name));
}

void BusAudit::on_told(StreamNumber connection, const MessageView& message, Instant now) {
    Connection& c = connections_[connection];
    if (message.type == MessageType::welcome) {
        c.welcome = true;
    } else if (message.type == MessageType::poison) {
        on_refused(c, now);
    } else if (message.type == MessageType::notify) {
        ++told_;
        if (message.id == wire::server_request_id) {
            if (!c.has_asked) note(fmt::format("{} was sent an answer, but had not asked", c.name));
        } else {
            on_value_told(c, message, now);
        }
    }
}

void BusAudit::on_refused(const Connection& c, Instant now) {
    const bool for_a_reason = std::ranges::any_of(connections_, [&](const auto& entry) {
        const Connection& holder = entry.second;
        return holder.welcome && holder.name == c.name && now - holder.last_heard < name_alive_;
    });
    if (!for_a_reason) note(fmt::format("{} was refused, though no connected client has its name", c.name));
}

void BusAudit::on_value_told(Connection& c, const MessageView& message, Instant now) {
    if (!c.welcome) note(fmt::format("{} received {} before its welcome", c.name, message.key));
    if (message.source == broker_source_) {
        if (!has_ever_registered(c, message.key))
            note(fmt::format("{} received {}, which it has never registered", c.name, message.key));
        return;
    }
    if (auto right = c.readers[std::string(message.key)].on_told(message, now); !right)
        note(fmt::format("{} received {}: {}", c.name, message.key, right.error().message));
}

bool BusAudit::has_ever_registered(const Connection& c, std::string_view key) const {
    return c.readers.contains(key) || std::ranges::any_of(c.filters_ever, [&](const bus::Wildcard& w) {
               return w.matches(key, broker_source_);
           });
}

// Values stored by the broker.

void BusAudit::check_values(const bus::Exchange& exchange) {
    for (const auto& [key, variable] : variables_) check_value(key, variable, exchange.find(key));
}

void BusAudit::check_value(const std::string& key, const Variable& variable, const bus::Variable* kept) {
    if (key.starts_with("DB_")) return;  // written by the broker itself
    if (!kept) return note(fmt::format("the broker does not know {}", key));
    if (!variable.latest) {
        if (kept->is_written()) note(fmt::format("the broker has a value of {}, but none arrived", key));
        return;
    }
    if (!kept->is_written())
        return note(
            fmt::format("the broker has no value of {}; {} arrived", key, variable.latest->message.aux));
    wire::Message value = wire::own(kept->value());
    if (variable.latest->message.community.empty()) value.community.clear();  // filled in by the broker
    if (value != variable.latest->message)
        note(fmt::format("the broker keeps {} of {}; {} arrived last", value.aux, key,
                         variable.latest->message.aux));
}

void BusAudit::check_backlog(const bus::Broker& broker, const bus::BrokerLimits& limits,
                             std::size_t largest) {
    constexpr std::size_t prefix = 256;  // of a packet
    const std::size_t waiting_most = std::max(limits.backlog_max, limits.backlog_collapse) + largest;
    for (const auto& [id, c] : connections_) {
        const bus::Connection* const client = broker.find_client(c.name);
        if (!client) continue;
        if (client->outbox.waiting_size() > waiting_most)
            note(fmt::format("{} bytes wait for {}, at most {} may", client->outbox.waiting_size(), c.name,
                             waiting_most));
        if (client->outbox.backlog() > 2 * waiting_most + prefix)
            note(fmt::format("{} bytes are unsent for {}, at most {} may be", client->outbox.backlog(),
                             c.name, 2 * waiting_most + prefix));
    }
    const std::size_t total_most = 2 * limits.backlog_total + connections_.size() * (largest + prefix);
    if (broker.backlog() > total_most)
        note(fmt::format("{} bytes are unsent in all, at most {} may be", broker.backlog(), total_most));
}

void BusAudit::check_losses(const bus::Broker& broker) {
    for (const auto& [id, c] : connections_) {
        const bus::Connection* const client = c.welcome ? broker.find_client(c.name) : nullptr;
        // A connection that is being replaced under its name cannot be distinguished from the new one.
        if (!client || client->traffic.bytes_out == 0) continue;
        const bool only_one = std::ranges::count(connections_, c.name,
                                                 [](const auto& entry) { return entry.second.name; }) == 1;
        std::uint64_t lost = 0;
        for (const auto& [key, reader] : c.readers) lost += reader.lost();
        const std::uint64_t counted = client->traffic.collapsed + client->traffic.dropped;
        if (only_one && lost > counted)
            note(fmt::format("{} values did not reach {}, but only {} are counted as let go", lost, c.name,
                             counted));
    }
}

}  // namespace caribou::sim
