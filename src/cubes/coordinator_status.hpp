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

/// A state change of the coordinator, and its reason.
struct Transition {
    Instant when;
    CoordinatorState from;
    CoordinatorState to;
    std::string why;

    friend bool operator==(const Transition&, const Transition&) = default;
};
/// Returns `12.500 s  connecting -> connected_background: the cube is connected`.
std::string to_string(const Transition& transition);

struct SubscriberStatus {
    std::string name;
    ConnectionType type;
    std::optional<Duration> expires_in{};
    Duration for_so_long{};  ///< time since it subscribed

    friend bool operator==(const SubscriberStatus&, const SubscriberStatus&) = default;
};

/// The next change if no other event occurs.
struct Countdown {
    std::string what;
    Duration left;

    friend bool operator==(const Countdown&, const Countdown&) = default;
};

/// A snapshot of the coordinator.
struct CoordinatorStatus {
    CoordinatorState state;
    std::vector<SubscriberStatus> subscribers;
    std::optional<Countdown> countdown;
};

}  // namespace caribou::cubes
