#include "bus/client_table.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

#include <fmt/format.h>

#include "base/json_node.hpp"
#include "base/json_writer.hpp"
#include "bus/message_text.hpp"

namespace caribou::bus {
namespace {

std::optional<ClientRow> row_of_summary(std::string_view payload) {
    const auto summary = read_json(payload);
    if (!summary || !summary->is(JsonNode::Kind::object)) return std::nullopt;
    const auto text = [&](std::string_view key) -> std::optional<std::string> {
        const JsonNode* const found = summary->find(key);
        if (!found || !found->is(JsonNode::Kind::text)) return std::nullopt;
        return found->text;
    };
    const auto count = [&](std::string_view key) -> ClientRow::Count {
        constexpr double most = 9'007'199'254'740'991;  // the greatest integer below which doubles are exact
        const JsonNode* const found = summary->find(key);
        if (!found || !found->is(JsonNode::Kind::number)) return std::nullopt;
        if (!(found->number >= 0) || found->number > most || std::trunc(found->number) != found->number)
            return std::nullopt;
        return static_cast<std::uint64_t>(found->number);
    };
    ClientRow row{.name = text("name").value_or(""),
                  .peer = text("peer"),
                  .mode = text("mode"),
                  .subscribed = count("subscribed"),
                  .published = count("published"),
                  .messages_in = count("messages_in"),
                  .messages_out = count("messages_out"),
                  .backlog = count("backlog"),
                  .dropped = count("dropped"),
                  .refused = count("refused")};
    if (row.dropped) *row.dropped += count("collapsed").value_or(0);
    return row;
}

/// Parses `name:SUBSCRIBED=,A,B,PUBLISHED=,C`.
std::optional<ClientRow> row_of_process(std::string_view payload) {
    constexpr std::string_view first = ":SUBSCRIBED=";
    constexpr std::string_view second = ",PUBLISHED=";
    const std::size_t subscribed = payload.find(first);
    const std::size_t published = payload.rfind(second);
    if (subscribed == std::string_view::npos || published == std::string_view::npos || published < subscribed)
        return std::nullopt;
    const auto commas = [&](std::size_t from, std::size_t to) {
        return static_cast<std::uint64_t>(std::ranges::count(payload.substr(from, to - from), ','));
    };
    return ClientRow{.name = std::string(payload.substr(0, subscribed)),
                     .subscribed = commas(subscribed + first.size(), published),
                     .published = commas(published + second.size(), payload.size())};
}

}  // namespace

std::vector<ClientRow> client_rows(std::span<const wire::Message> answer) {
    std::vector<ClientRow> rows;
    for (const wire::Message& message : answer) {
        auto row =
            message.key == "PROC_SUMMARY" ? row_of_process(message.payload) : row_of_summary(message.payload);
        if (row) rows.push_back(std::move(*row));
    }
    return rows;
}

std::string client_table(std::vector<ClientRow> rows) {
    std::ranges::sort(rows, {}, &ClientRow::name);
    std::string table =
        fmt::format("{:<20} {:<22} {:<12} {:>5} {:>6} {:>10} {:>10} {:>9} {:>8}\n", "CLIENT", "FROM", "MODE",
                    "READS", "WRITES", "SENT", "RECEIVED", "BACKLOG", "DROPPED");
    const auto text = [](const std::optional<std::string>& known) { return known ? printable(*known) : "-"; };
    const auto count = [](ClientRow::Count known) { return known ? std::to_string(*known) : "-"; };
    for (const ClientRow& row : rows)
        fmt::format_to(
            std::back_inserter(table), "{:<20} {:<22} {:<12} {:>5} {:>6} {:>10} {:>10} {:>9} {:>8}\n",
            printable(row.name), text(row.peer), text(row.mode), count(row.subscribed), count(row.published),
            count(row.messages_in), count(row.messages_out), count(row.backlog), count(row.dropped));
    return table;
}

std::string client_json(std::vector<ClientRow> rows) {
    std::ranges::sort(rows, {}, &ClientRow::name);
    JsonWriter to;
    to.begin_list();
    for (const ClientRow& row : rows) {
        to.begin_object();
        to.member("name", row.name);
        to.member("peer", row.peer);
        to.member("mode", row.mode);
        to.member("subscribed", row.subscribed);
        to.member("published", row.published);
        to.member("messages_in", row.messages_in);
        to.member("messages_out", row.messages_out);
        to.member("backlog", row.backlog);
        to.member("dropped", row.dropped);
        to.member("refused", row.refused);
        to.end_object();
    }
    to.end_list();
    return std::move(to).take();
}

}  // namespace caribou::bus
