#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cubes/connection_subscriber.hpp"
#include "loop/time.hpp"

namespace caribou::cubes {

enum class CoordinatorState : std::uint8_t {
    unconnected,
    connecting,
    connected_interactable,
    switching_to_background,
    connected_background,
    disconnecting,
};
std::string_view to_string(CoordinatorState state);

/// What the coordinator has done, and why.
struct Transition {
    Instant when;
    CoordinatorState from;
    CoordinatorState to;
    std::string why;

    friend bool operator==(const Transition&, const Transition&) = default;
};
/// `12.500 s  connecting -> connected_background: the cube is connected`.
std::string to_string(const Transition& transition);

struct SubscriberStatus {
    std::string name;
    ConnectionType type;
    std::optional<Duration> expires_in{};
    Duration for_so_long{};  ///< since it subscribed

    friend bool operator==(const SubscriberStatus&, const SubscriberStatus&) = default;
};

/// What happens next unless something else does.
struct Countdown {
    std::string what;
    Duration left;

    friend bool operator==(const Countdown&, const Countdown&) = default;
};

/// All there is to see at one moment.
struct CoordinatorStatus {
    CoordinatorState state;
    std::vector<SubscriberStatus> subscribers;
    std::optional<Countdown> countdown;
};

}  // namespace caribou::cubes
