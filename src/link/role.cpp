#include "link/role.hpp"

#include "link/names.hpp"

namespace caribou::link {

std::optional<Role> role_from(std::string_view text) { return named_up_to(Role::admin, text); }

}  // namespace caribou::link
