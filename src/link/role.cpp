#include "link/role.hpp"

#include <array>

#include "link/names.hpp"

namespace caribou::link {
namespace {

constexpr std::array<std::string_view, 3> names{"observe", "drive", "admin"};

}  // namespace

std::string_view to_string(Role role) { return name_in(names, role); }
std::optional<Role> role_from(std::string_view text) { return named_in<Role>(names, text); }

}  // namespace caribou::link
