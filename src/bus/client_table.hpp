#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "wire/message.hpp"

namespace caribou::bus {

/// A client as its broker reports it; nullopt: the broker does not report it.
struct ClientRow {
    using Count = std::optional<std::uint64_t>;

    std::string name;
    std::optional<std::string> peer{};
    std::optional<std::string> mode{};
    Count subscribed{};
    Count published{};
    Count messages_in{};  ///< that came from the client
    Count messages_out{};
    Count backlog{};  ///< bytes that wait for it
    Count dropped{};  ///< messages that it did not get, dropped or collapsed

    friend bool operator==(const ClientRow&, const ClientRow&) = default;
};

/// Reads the answer to CLIENT_SUMMARY, or that of an original broker to PROC_SUMMARY. What makes no
/// sense is left out.
std::vector<ClientRow> client_rows(std::span<const wire::Message> answer);

/// A table for people, by name.
std::string client_table(std::vector<ClientRow> rows);
/// A JSON array, by name.
std::string client_json(std::vector<ClientRow> rows);

}  // namespace caribou::bus
