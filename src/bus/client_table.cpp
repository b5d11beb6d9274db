#include "bus/client_table.hpp"

#include <algorithm>
#include <iterator>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "bus/message_text.hpp"

namespace caribou::bus {
namespace {

using Json = nlohmann::ordered_json;

std::optional<ClientRow> row_of_summary(std::string_view payload) {
    const Json told = Json::parse(payload, nullptr, false);
    if (!told.is_object()) return std::nullopt;
    const auto text = [&](const char* key) -> std::optional<std::string> {
        const auto found = told.find(key);
        if (found == told.end() || !found->is_string()) return std::nullopt;
        return found->get<std::string>();
    };
    const auto count = [&](const char* key) -> ClientRow::Count {
        const auto found = told.find(key);
        if (found == told.end() || !found->is_number_unsigned()) return std::nullopt;
        return found->get<std::uint64_t>();
    };
    ClientRow row{.name = text("name").value_or(""),
                  .peer = text("peer"),
                  .mode = text("mode"),
                  .subscribed = count("subscribed"),
                  .published = count("published"),
                  .messages_in = count("messages_in"),
                  .messages_out = count("messages_out"),
                  .backlog = count("backlog"),
                  .dropped = count("dropped")};
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
    Json all = Json::array();
    const auto known = [](const auto& field) { return field ? Json(*field) : Json(); };
    for (const ClientRow& row : rows)
        all.push_back({{"name", row.name},
                       {"peer", known(row.peer)},
                       {"mode", known(row.mode)},
                       {"subscribed", known(row.subscribed)},
                       {"published", known(row.published)},
                       {"messages_in", known(row.messages_in)},
                       {"messages_out", known(row.messages_out)},
                       {"backlog", known(row.backlog)},
                       {"dropped", known(row.dropped)}});
    return all.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace caribou::bus
