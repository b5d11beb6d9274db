#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "behavior/class_registry.hpp"
#include "behavior/modifiers.hpp"
#include "cubes/connection_subscriber.hpp"

namespace caribou::robot {

/// The cube requirement of a behavior.
///
/// | requirement      | wants to be activated                         | on activation                     |
/// |------------------|-----------------------------------------------|-----------------------------------|
/// | none             | unchanged                                     | nothing                           |
/// | optional_lazy    | unchanged                                     | subscribes if one is connected    |
/// | optional_active  | unchanged                                     | subscribes, which connects one    |
/// | required_lazy    | only if one is connected, even in background  | subscribes if one still is; else  |
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

/// A requirement, and whether its subscription is a background one.
struct CubeNeed {
    CubeRequirement requirement = CubeRequirement::none;
    bool connect_in_background = false;

    cubes::ConnectionType type() const {
        return connect_in_background ? cubes::ConnectionType::background
                                     : cubes::ConnectionType::interactable;
    }
    friend bool operator==(const CubeNeed&, const CubeNeed&) = default;
};

/// Name in OperationModifiers::ensures of behaviors that ensure a connection before they delegate. Must not
/// be used by others.
inline constexpr std::string_view ensures_cube_connection_at_delegation = "cube_connection";

/// Returns the word for OperationModifiers::requirement and for files: `cube_required_lazy`,
/// `cube_optional_active_in_background`. Empty for none.
std::string word_of(CubeNeed need);
/// Returns nullopt if the word is not a cube requirement.
std::optional<CubeNeed> cube_need(std::string_view word);

/// Returns the modifiers with this requirement added.
behavior::OperationModifiers with_cube(CubeNeed need, behavior::OperationModifiers modifiers = {});

/// Registers the requirements for use in files and in the check of trees.
void register_cube_requirements(behavior::ClassRegistry& classes);

}  // namespace caribou::robot
