#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "behavior/class_registry.hpp"
#include "behavior/modifiers.hpp"
#include "cubes/connection_subscriber.hpp"

namespace caribou::robot {

/// What a behavior needs of a cube.
///
/// | requirement      | wants to be activated                         | on activation                     |
/// |------------------|-----------------------------------------------|-----------------------------------|
/// | none             | as ever                                       | nothing                           |
/// | optional_lazy    | as ever                                       | subscribes if one is connected    |
/// | optional_active  | as ever                                       | subscribes, so that one is        |
/// | required_lazy    | only if one is connected, be it in background | subscribes, if one still is; else |
/// |                  |                                               | the activation is refused         |
/// | required_managed | the same, and only above an active behavior   | the same                          |
/// |                  | that ensures_cube_connection_at_delegation    |                                   |
enum class CubeRequirement : std::uint8_t {
    none,
    optional_lazy,
    optional_active,
    required_lazy,
    required_managed
};

struct CubeNeed {
    CubeRequirement requirement = CubeRequirement::none;
    bool connect_in_background = false;

    cubes::ConnectionType type() const {
        return connect_in_background ? cubes::ConnectionType::background
                                     : cubes::ConnectionType::interactable;
    }
    friend bool operator==(const CubeNeed&, const CubeNeed&) = default;
};

/// The name under OperationModifiers::ensures of a behavior that really sees to a connection before it
/// delegates. Nobody else may say so.
inline constexpr std::string_view ensures_cube_connection_at_delegation = "cube_connection";

/// As it stands in OperationModifiers::requirement and in files: `cube_required_lazy`,
/// `cube_optional_active_in_background`. Empty for none.
std::string word_of(CubeNeed need);
/// None: the word is not about cubes.
std::optional<CubeNeed> cube_need(std::string_view word);

/// The same modifiers, for a behavior that needs that.
behavior::OperationModifiers with_cube(CubeNeed need, behavior::OperationModifiers modifiers = {});

/// Lets files name the requirements, and the check of trees know what they need.
void register_cube_requirements(behavior::ClassRegistry& classes);

}  // namespace caribou::robot
