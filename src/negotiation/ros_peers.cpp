#include "negotiation/ros_peers.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace caribou::negotiation {
namespace {

/// Returns whether both ids belong to the same process: their first twelve bytes are equal.
bool is_same_process(const PeerId& one, const PeerId& other) {
    return one.high == other.high && one.low >> 32 == other.low >> 32;
}

}  // namespace

void RosPeers::hear(const PeerId& writer, RosDiscovery discovery, bool follows) {
    announcements_[writer] = {std::move(discovery), follows};
}

std::optional<std::string> RosPeers::node_of(const PeerId& endpoint) const {
    for (const auto& [writer, announcement] : announcements_) {
        const auto& nodes = announcement.discovery.nodes;
        for (const RosNodeInfo& node : nodes)
            for (const auto* ids : {&node.writers, &node.readers})
                if (std::ranges::find(*ids, endpoint) != ids->end()) return node.full_name();
        if (nodes.size() == 1 && is_same_process(writer, endpoint)) return nodes.front().full_name();
    }
    return {};
}

std::pair<std::size_t, std::string> RosPeers::users_of(RosLayout layout) const {
    std::pair<std::size_t, std::string> users;
    for (const auto& [writer, announcement] : announcements_) {
        if (announcement.follows || announcement.discovery.layout != layout) continue;
        ++users.first;
        if (users.second.empty() && !announcement.discovery.nodes.empty())
            users.second = announcement.discovery.nodes.front().full_name();
    }
    return users;
}

RosLayout RosPeers::layout() const {
    const bool is_jazzy = users_of(RosLayout::jazzy).first > users_of(RosLayout::humble).first;
    return is_jazzy ? RosLayout::jazzy : RosLayout::humble;
}

std::optional<std::string> RosPeers::mixed() const {
    const auto [humble, humble_node] = users_of(RosLayout::humble);
    const auto [jazzy, jazzy_node] = users_of(RosLayout::jazzy);
    if (humble == 0 || jazzy == 0) return {};
    const auto named = [](const std::string& node) { return node.empty() ? "" : ", such as " + node; };
    return fmt::format(
        "nodes of different versions of ROS 2 share the domain: {} announced as in Humble{}, {} as in "
        "Jazzy{}; "
        "each version cannot list the nodes of the other; this process announces itself as in {}",
        humble, named(humble_node), jazzy, named(jazzy_node),
        layout() == RosLayout::jazzy ? "Jazzy" : "Humble");
}

}  // namespace caribou::negotiation
