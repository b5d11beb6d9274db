#pragma once

#include <cstdint>

#include "base/random.hpp"
#include "behavior/facts.hpp"
#include "loop/time.hpp"

namespace caribou::behavior {

/// Which calls of behaviors are legal at this point.
enum class Phase : std::uint8_t {
    outside,   ///< none: no tick runs
    open,      ///< all
    asking,    ///< none: inside wants_to_be_activated
    changing,  ///< none: the stack is between two states
};

/// What all parts of the engine know about the running tick.
struct TickState {
    std::uint64_t tick = 0;
    Instant now{};
    const Facts& facts;
    Random random;
    Phase phase = Phase::outside;
};

/// Sets the phase for one block.
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
