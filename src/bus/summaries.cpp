#include "bus/summaries.hpp"

#include <algorithm>
#include <iterator>
#include <vector>

#include <fmt/format.h>

#include "base/json_writer.hpp"
#include "bus/message_text.hpp"

namespace caribou::bus {
namespace {

std::vector<std::string_view> names_of(const VariableTable& variables) {
    std::vector<std::string_view> names;
    names.reserve(variables.size());
    for (const auto& entry : variables.entries()) names.push_back(entry.variable->name);
    std::ranges::sort(names);
    return names;
}

void append_joined(std::string& text, std::span<const std::string_view> names, char separator) {
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (i > 0) text += separator;
        text += names[i];
    }
}

/// Returns a client's name for use in a list, with the list's separators replaced.
std::string listed(std::string_view name, std::string_view separators) {
    std::string text(name);
    for (char& letter : text)
        if (separators.contains(letter)) letter = '_';
    return text;
}

std::string size_for_people(std::size_t bytes) {
    if (bytes < 1024) return fmt::format("{:<4} B", bytes);
    if (bytes < 1024 * 1024) return fmt::format("{:<4} KB", bytes / 1024);
    return fmt::format("{:<4} MB", bytes / (1024 * 1024));
}

std::string value_for_people(const Variable& variable) {
    const wire::MessageView unset{.data_type = variable.type};
    const wire::MessageView value = variable.is_written() ? variable.value() : unset;
    if (value.is_number()) return fmt::format("{:.1f}", value.value);
    if (value.is_binary()) return "*binary* " + size_for_people(value.payload.size());
    if (!value.is_string()) return {};
    if (value.payload.size() <= 25) return std::string(value.payload);
    return fmt::format("{}...", value.payload.substr(0, 22));
}

}  // namespace

std::string variable_names(Variables variables) {
    std::string text;
    for (const Variable* variable : variables) {
        if (!text.empty()) text += ',';
        text += variable->name;
    }
    return text;
}

std::string variable_table(Variables variables) {
    std::string text;
    for (const Variable* variable : variables) {
        const std::string_view source = variable->is_written() ? variable->value().source : "(write pending)";
        fmt::format_to(std::back_inserter(text), "{:<20} {:<20} {:<20} {:<4.1f}Hz {:<2} {}\n", variable->name,
                       time_of_day(variable->written), source, variable->rate.hertz(),
                       static_cast<char>(variable->type), value_for_people(*variable));
    }
    return text;
}

std::string client_names(Connections clients) {
    std::string text;
    for (const Connection* client : clients) (text += listed(client->name(), ",")) += ',';
    return text;
}

std::string latencies(Connections clients) {
    std::string text;
    for (const Connection* client : clients) {
        const Latency& l = client->latency;
        fmt::format_to(std::back_inserter(text), "{}={:g}:{:g}:{:g}:{:g},", listed(client->name(), ",="),
                       l.recent, l.max, l.min, l.average);
    }
    return text;
}

std::string reads_and_writes(Connections clients) {
    std::string text;
    for (const Connection* client : clients) {
        if (!text.empty()) text += ',';
        (text += listed(client->name(), ",=&")) += '=';
        append_joined(text, names_of(client->subscribed), ':');
        text += '&';
        append_joined(text, names_of(client->published), ':');
    }
    return text;
}

std::string process_summary(const Member& client) {
    std::string text = fmt::format("{}:SUBSCRIBED=", listed(client.name(), ","));
    for (const std::string_view name : names_of(client.subscribed)) (text += ',').append(name);
    text += ",PUBLISHED=";
    for (const std::string_view name : names_of(client.published)) (text += ',').append(name);
    return text;
}

std::string client_summary(const Connection& client) {
    const Traffic& t = client.traffic;
    JsonWriter to;
    to.begin_object();
    to.member("name", client.name());
    to.member("peer", client.peer);
    to.member("mode", client.synchronous ? "synchronous" : "asynchronous");
    to.member("subscribed", client.subscribed.size());
    to.member("published", client.published.size());
    to.member("bytes_in", t.bytes_in);
    to.member("bytes_out", t.bytes_out);
    to.member("messages_in", t.messages_in);
    to.member("messages_out", t.messages_out);
    to.member("backlog", client.outbox.backlog());
    to.member("collapsed", t.collapsed);
    to.member("dropped", t.dropped);
    to.member("refused", t.refused);
    to.key("foreign");
    to.begin_object();
    for (const auto& [source, count] : client.foreign_sources) to.member(source, count);
    to.end_object();
    to.end_object();
    return std::move(to).take();
}

}  // namespace caribou::bus
