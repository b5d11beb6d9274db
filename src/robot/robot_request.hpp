#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "link/answer.hpp"
#include "link/command.hpp"
#include "link/role.hpp"
#include "loop/time.hpp"

namespace caribou::robot {

/// Who asks. The same one on every way in: link, bus, command line.
struct Peer {
    std::string name{};
    link::Role role = link::Role::observe;
    std::uint64_t session = 0;  ///< of this connection; other numbers are other connections
    bool takes_over = true;     ///< whether `take_lease` takes the lease from its holder

    friend bool operator==(const Peer&, const Peer&) = default;
};

/// Takes answers wherever they have to go; called from main's thread.
using Reply = std::function<void(const link::Answer&)>;

/// A command on its way into the robot.
struct Request {
    Peer peer{};
    link::Command command{};
    Reply reply{};
    std::optional<Instant> received{};  ///< by the robot's clock; nullopt: its age is not known
};

}  // namespace caribou::robot
