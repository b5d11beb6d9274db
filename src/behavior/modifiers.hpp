#pragma once

#include <string>
#include <vector>

namespace caribou::behavior {

/// When a behavior may operate and what it needs, declared once, before the runner initializes it.
///
/// | field                | effect                                                              |
/// |----------------------|---------------------------------------------------------------------|
/// | allowed_*            | if false, it is not activated while that fact holds                 |
/// | always_delegates     | it ends in the tick in which nothing is delegated any more, with    |
/// |                      | the outcome of its last delegate                                    |
/// | asks_delegates       | its delegates are in scope whenever it is, so that its              |
/// |                      | wants_to_be_activated can ask them (View::wants)                    |
/// | declares_repeat      | each delegation by it starts a new round: no cycle for the guard    |
/// | requirement          | a word that only the RequirementGates interpret                     |
/// | ensures              | names that hold for everything delegated above it                   |
/// | needs_ensured        | it is not activated unless active ancestors ensure all of these     |
/// | sensors_in_scope     | sensor modes that are on while it is in scope                       |
/// | sensors_while_active | sensor modes that are on while it is active                         |
///
/// The allowed_* fields are checked when the behavior is asked, not while it is active; to end it then, use a
/// cancel condition on the same fact.
struct OperationModifiers {
    bool allowed_charging = false;
    bool allowed_off_ground = false;
    bool allowed_carrying = false;
    bool always_delegates = false;
    bool asks_delegates = false;
    bool declares_repeat = false;
    std::string requirement{};
    std::vector<std::string> ensures{};
    std::vector<std::string> needs_ensured{};
    std::vector<std::string> sensors_in_scope{};
    std::vector<std::string> sensors_while_active{};

    friend bool operator==(const OperationModifiers&, const OperationModifiers&) = default;
};

}  // namespace caribou::behavior
