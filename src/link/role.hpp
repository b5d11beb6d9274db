#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "data/role.hpp"

namespace caribou::link {

using data::Role;
using data::to_string;

std::optional<Role> role_from(std::string_view text);

constexpr bool may(Role has, Role needs) { return has >= needs; }

}  // namespace caribou::link
