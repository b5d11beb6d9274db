#include "link/role.hpp"

#include <array>

#include "link/names.hpp"

namespace caribou::link {
namespace {

constexpr std::array<std::string_view, 3> role_names{"observe", "drive", "admin"};

}  // namespace

std::string_view to_string(Role role) { return name_in(role_names, role); }
std::optional<Role> role_from(std::string_view text) { return named_in<Role>(role_names, text); }

}  // namespace caribou::link
