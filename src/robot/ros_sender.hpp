#pragma once

#include <cstdint>
#include <optional>

#include "robot/robot_request.hpp"

namespace caribou::robot {

/// The one sender `ros` of all commands from ROS 2: twists and the other topics. Must only be used on one
/// strand.
class RosSender {
public:
    /// Returns an id that no other command of this sender has: the robot executes an id only once.
    link::CommandId next_id() { return {++last_id_}; }
    /// Sets the session of the twists, which holds the lease; nullopt while there is none.
    void set_driving(std::optional<std::uint64_t> session) { driving_ = session; }
    /// Returns the sender of a command other than a twist. What holds the lease for the twists does not
    /// exclude it.
    Peer peer(link::Role role, std::uint64_t session) const {
        return {.name = "ros", .role = role, .session = session, .drives_by = driving_};
    }

private:
    std::uint64_t last_id_ = 0;
    std::optional<std::uint64_t> driving_;
};

}  // namespace caribou::robot
