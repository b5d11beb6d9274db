#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace caribou::station {

/// What a client of the Foxglove WebSocket protocol asks for: docs/formats/foxglove.md.
struct FoxgloveRequest {
    struct Subscription {
        std::uint32_t id = 0;  ///< by which the client knows it
        std::uint32_t channel = 0;

        friend bool operator==(const Subscription&, const Subscription&) = default;
    };
    std::vector<Subscription> subscribe{};
    std::vector<std::uint32_t> unsubscribe{};

    friend bool operator==(const FoxgloveRequest&, const FoxgloveRequest&) = default;
};

struct FoxgloveLimits {
    static constexpr std::size_t subscriptions = 1000;  ///< of a client
    static constexpr std::size_t clients = 16;
    static constexpr std::size_t waiting = 1 << 20;  ///< bytes unread; messages beyond are left out
};

/// Requests of parts of the protocol that this station does not offer are refused with a sentence.
Result<FoxgloveRequest> read_foxglove_request(std::string_view text);

}  // namespace caribou::station
