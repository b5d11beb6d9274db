#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace caribou::station {

/// A request of the Foxglove WebSocket protocol (docs/formats/foxglove.md).
struct FoxgloveRequest {
    struct Subscription {
        std::uint32_t id = 0;  ///< chosen by the client
        std::uint32_t channel = 0;

        friend bool operator==(const Subscription&, const Subscription&) = default;
    };
    std::vector<Subscription> subscribe{};
    std::vector<std::uint32_t> unsubscribe{};

    friend bool operator==(const FoxgloveRequest&, const FoxgloveRequest&) = default;
};

struct FoxgloveLimits {
    static constexpr std::size_t subscriptions = 1000;  ///< per client
    static constexpr std::size_t clients = 16;
    static constexpr std::size_t waiting = 1 << 20;  ///< unread bytes; further messages are dropped
};

/// Parses a request. Parts of the protocol that this station does not support are refused with a message.
Result<FoxgloveRequest> read_foxglove_request(std::string_view text);

}  // namespace caribou::station
