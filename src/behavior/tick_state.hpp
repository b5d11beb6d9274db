#pragma once

#include <cstdint>

#include "base/random.hpp"
#include "behavior/facts.hpp"
#include "loop/time.hpp"

namespace caribou::behavior {

/// Which calls by behaviors are legal at this point.
enum class Phase : std::uint8_t {
    outside,   ///< none: no tick is running
    open,      ///< all
    asking,    ///< none: inside wants_to_be_activated
    changing,  ///< none: the stack is between two states
};

/// The state of the current tick that is shared by all parts of the engine.
struct TickState {
    std::uint64_t tick = 0;
    Instant now{};
    const Facts& facts;
    Random random;
    Phase phase = Phase::outside;
};

/// Sets the phase for the duration of a block.
class PhaseGuard {
public:
    PhaseGuard(TickState& state, Phase phase) : state_(state), before_(state.phase) { state.phase = phase; }
    ~PhaseGuard() { state_.phase = before_; }
    PhaseGuard(const PhaseGuard&) = delete;
    PhaseGuard& operator=(const PhaseGuard&) = delete;

private:
    TickState& state_;
    Phase before_;
};

}  // namespace caribou::behavior
