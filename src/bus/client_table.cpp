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
    const auto text = [&](const char* key) {
        const auto found = told.find(key);
        return found != told.end() && found->is_string() ? found->get<std::string>() : std::string{};
    };
    const auto count = [&](const char* key) -> std::uint64_t {
        const auto found = told.find(key);
        return found != told.end() && found->is_number_unsigned() ? found->get<std::uint64_t>() : 0;
    };
    return ClientRow{.name = text("name"),
                     .peer = text("peer"),
                     .mode = text("mode"),
                     .subscribed = count("subscribed"),
                     .published = count("published"),
                     .messages_in = count("messages_in"),
                     .messages_out = count("messages_out"),
                     .backlog = count("backlog"),
                     .dropped = count("dropped") + count("collapsed")};
}

/// `name:SUBSCRIBED=,A,B,PUBLISHED=,C`
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
    std::string text =
        fmt::format("{:<20} {:<22} {:<12} {:>5} {:>6} {:>10} {:>10} {:>9} {:>8}\n", "CLIENT", "FROM", "MODE",
                    "READS", "WRITES", "SENT", "RECEIVED", "BACKLOG", "DROPPED");
    for (const ClientRow& row : rows)
        fmt::format_to(std::back_inserter(text),
                       "{:<20} {:<22} {:<12} {:>5} {:>6} {:>10} {:>10} {:>9} {:>8}\n", printable(row.name),
                       printable(row.peer), row.mode, row.subscribed, row.published, row.messages_in,
                       row.messages_out, row.backlog, row.dropped);
    return text;
}

std::string client_json(std::vector<ClientRow> rows) {
    std::ranges::sort(rows, {}, &ClientRow::name);
    Json all = Json::array();
    for (const ClientRow& row : rows)
        all.push_back({{"name", row.name},
                       {"peer", row.peer},
                       {"mode", row.mode},
                       {"subscribed", row.subscribed},
                       {"published", row.published},
                       {"messages_in", row.messages_in},
                       {"messages_out", row.messages_out},
                       {"backlog", row.backlog},
                       {"dropped", row.dropped}});
    return all.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace caribou::bus
