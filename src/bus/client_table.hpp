#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "wire/message.hpp"

namespace caribou::bus {

/// A client as reported by its broker; nullopt for fields that the broker does not report.
struct ClientRow {
    using Count = std::optional<std::uint64_t>;

    std::string name;
    std::optional<std::string> peer{};
    std::optional<std::string> mode{};
    Count subscribed{};
    Count published{};
    Count messages_in{};  ///< received from the client
    Count messages_out{};
    Count backlog{};  ///< bytes waiting to be sent to it
    Count dropped{};  ///< messages not delivered to it: dropped or collapsed
    Count refused{};  ///< messages from it that the broker has not accepted

    friend bool operator==(const ClientRow&, const ClientRow&) = default;
};

/// Parses the answer to CLIENT_SUMMARY, or an original broker's answer to PROC_SUMMARY. Malformed entries are
/// skipped.
std::vector<ClientRow> client_rows(std::span<const wire::Message> answer);

/// Returns a table for people, sorted by name.
std::string client_table(std::vector<ClientRow> rows);
/// Returns a JSON array, sorted by name.
std::string client_json(std::vector<ClientRow> rows);

}  // namespace caribou::bus
