#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "behavior/control.hpp"
#include "behavior/delegate_set.hpp"
#include "behavior/outcome.hpp"
#include "behavior/wants.hpp"

namespace caribou::behavior {

/// How and when an activation of a behavior ended.
struct BehaviorEnd {
    Outcome outcome;
    Instant at;
};

/// The engine's record of one behavior. Only Lifecycle modifies it.
struct Standing {
    enum class State : std::uint8_t { created, out_of_scope, in_scope, active };

    struct Timer {
        Instant due;
        std::uint64_t since;  ///< tick in which it was set: it does not expire in the same tick
        TimerTask task;
    };
    /// Acquired resources, released together and in reverse order.
    struct Belongings {
        std::vector<Undo> kept;
        std::vector<Timer> timers;
    };

    std::uint64_t updated = 0;  ///< tick of the last update
    std::uint32_t scope = 0;    ///< number of layers that list it
    std::uint32_t number = 0;
    std::uint32_t layer = 0;  ///< its position on the stack, while active
    State state = State::created;
    bool listed = false;                 ///< is in the engine's list of behaviors in scope
    bool broken = false;                 ///< its init threw
    bool attentive = false;              ///< its turn needs more than an update: conditions, topics, timers
    bool answered = false;               ///< was asked since it entered scope
    bool linking = false;                ///< its delegates are entering scope because it has
    std::uint64_t activations = 0;       ///< number of activations
    std::uint64_t said_yes = 0;          ///< tick of the last answer if that was yes, otherwise 0
    std::uint64_t evaluated = 0;         ///< tick in which its conditions were last evaluated
    const Condition* failing = nullptr;  ///< the wants condition that failed in that tick
    Wants answer = false;                ///< the last answer
    std::optional<BehaviorEnd> ended;    ///< the last activation that has ended
    DelegateSet delegates;               ///< fixed while active
    DelegateSet linked;                  ///< entered scope together with it; fixed while in scope
    std::vector<std::uint32_t> topics;
    Belongings of_scope;
    Belongings of_activation;
};

std::string_view to_string(Standing::State state);

}  // namespace caribou::behavior
