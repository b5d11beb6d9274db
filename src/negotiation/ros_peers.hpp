#pragma once

#include <map>
#include <optional>
#include <string>

#include "negotiation/ros_discovery.hpp"

namespace caribou::negotiation {

/// The ROS 2 nodes of other processes, as announced on `ros_discovery_info`.
class RosPeers {
public:
    /// Stores an announcement in place of the previous one of the same writer. `follows` is true for a
    /// process that adapts its layout to others, as Caribou does: its layout is not taken as an example.
    void hear(const PeerId& writer, RosDiscovery discovery, bool follows);
    void forget(const PeerId& writer) { announcements_.erase(writer); }

    /// Returns the full name of the node that owns a writer or reader. If its process has announced exactly
    /// one node, that one is meant even if the writer or reader is not listed yet. Returns nullopt if
    /// unknown.
    std::optional<std::string> node_of(const PeerId& endpoint) const;
    /// Returns the layout that most processes use; humble while there is none and on a tie.
    RosLayout layout() const;
    /// Returns a warning for people if both layouts are in use, otherwise nullopt.
    std::optional<std::string> mixed() const;

private:
    struct Announcement {
        RosDiscovery discovery;
        bool follows;
    };
    /// Returns the number of processes that use the layout, and the first of their nodes.
    std::pair<std::size_t, std::string> users_of(RosLayout layout) const;

    std::map<PeerId, Announcement> announcements_;
};

}  // namespace caribou::negotiation
