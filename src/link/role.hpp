#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace caribou::link {

/// The permissions of a peer. Each role includes those before it. Every peer may send a full stop.
enum class Role : std::uint8_t {
    observe,  ///< observe the robot
    drive,    ///< move it, while holding the lease
    admin,    ///< configure it, and take the lease from its holder
};
std::string_view to_string(Role role);
std::optional<Role> role_from(std::string_view text);

constexpr bool may(Role has, Role needs) { return has >= needs; }

}  // namespace caribou::link
