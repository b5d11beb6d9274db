#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "behavior/control.hpp"
#include "behavior/delegate_set.hpp"
#include "behavior/wants.hpp"

namespace caribou::behavior {

/// What the engine notes about one behavior. Only Lifecycle writes it.
struct Standing {
    enum class State : std::uint8_t { created, out_of_scope, in_scope, active };

    struct Timer {
        Instant due;
        std::uint64_t since;  ///< the tick in which it was set: it is not due in the same
        TimerTask task;
    };
    /// What was acquired, and is undone at once and in reverse order.
    struct Belongings {
        std::vector<Undo> kept;
        std::vector<Timer> timers;
    };

    std::uint64_t updated = 0;  ///< the tick of the last update
    std::uint32_t scope = 0;    ///< how many layers list it
    std::uint32_t number = 0;
    std::uint32_t layer = 0;  ///< its place on the stack, while active
    State state = State::created;
    bool listed = false;                 ///< stands in the engine's list of those in scope
    bool broken = false;                 ///< its init threw
    bool attentive = false;              ///< its turn needs more than an update: conditions, topics, timers
    bool answered = false;               ///< was asked since it came into scope
    std::uint64_t activations = 0;       ///< how often it was activated
    std::uint64_t said_yes = 0;          ///< the tick of the last answer, if that was yes
    std::uint64_t evaluated = 0;         ///< the tick in which its conditions were evaluated last
    const Condition* failing = nullptr;  ///< the wants condition that said no in that tick
    Wants answer = false;                ///< the last one
    DelegateSet delegates;               ///< frozen while active
    std::vector<std::uint32_t> topics;
    Belongings of_scope;
    Belongings of_activation;
};

std::string_view to_string(Standing::State state);

}  // namespace caribou::behavior
