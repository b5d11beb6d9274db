#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "wire/message.hpp"

namespace caribou::bus {

/// What a broker tells of one of its clients. Zero is also what it does not tell.
struct ClientRow {
    std::string name;
    std::string peer{};
    std::string mode{};
    std::uint64_t subscribed = 0;
    std::uint64_t published = 0;
    std::uint64_t messages_in = 0;  ///< that came from the client
    std::uint64_t messages_out = 0;
    std::uint64_t backlog = 0;  ///< bytes that wait for it
    std::uint64_t dropped = 0;  ///< messages that it did not get, dropped or collapsed

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
