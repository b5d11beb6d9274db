#include "cubes/coordinator_status.hpp"

#include <fmt/format.h>

#include "cubes/cube_link.hpp"

namespace caribou::cubes {

std::string_view to_string(ConnectionType type) {
    switch (type) {
        case ConnectionType::background: return "background";
        case ConnectionType::interactable: return "interactable";
    }
    return "unknown";
}

std::string_view to_string(LinkState state) {
    switch (state) {
        case LinkState::idle: return "idle";
        case LinkState::scanning: return "scanning";
        case LinkState::connecting: return "connecting";
        case LinkState::connected: return "connected";
        case LinkState::disconnecting: return "disconnecting";
    }
    return "unknown";
}

std::string_view to_string(CoordinatorState state) {
    switch (state) {
        case CoordinatorState::unconnected: return "unconnected";
        case CoordinatorState::connecting: return "connecting";
        case CoordinatorState::connected_interactable: return "connected_interactable";
        case CoordinatorState::switching_to_background: return "switching_to_background";
        case CoordinatorState::connected_background: return "connected_background";
        case CoordinatorState::disconnecting: return "disconnecting";
    }
    return "unknown";
}

std::string to_string(const Transition& transition) {
    return fmt::format("{:.3f} s  {} -> {}: {}", to_seconds(transition.when.time_since_epoch()),
                       to_string(transition.from), to_string(transition.to), transition.why);
}

}  // namespace caribou::cubes
