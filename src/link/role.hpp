#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace caribou::link {

/// What a peer may do. Each may do what those before it may. A full stop is everybody's.
enum class Role : std::uint8_t {
    observe,  ///< look
    drive,    ///< move it, while it holds the lease
    admin,    ///< change it, and take the lease from its holder
};
std::string_view to_string(Role role);
std::optional<Role> role_from(std::string_view text);

constexpr bool may(Role has, Role needs) { return has >= needs; }

}  // namespace caribou::link
