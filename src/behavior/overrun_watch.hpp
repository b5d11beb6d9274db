#pragma once

#include <cstddef>
#include <cstdint>

#include "behavior/journal.hpp"
#include "behavior/runner.hpp"

namespace caribou::behavior {

/// Determines which behavior makes ticks too long. Reading a clock costs more than a whole turn of the
/// engine, so behaviors are timed only for a while after a tick that overran.
///
/// | tick    | behaviors are timed | reports                                                       |
/// |---------|---------------------|---------------------------------------------------------------|
/// | in time | no                  | nothing                                                       |
/// | overran | no                  | the overrun; timing starts with the next tick                 |
/// | overran | yes                 | the overrun and the slowest so far; timing starts again       |
/// | in time | yes, for the last of timed_ticks ticks | the slowest of these ticks                 |
class OverrunWatch {
public:
    explicit OverrunWatch(OverrunOptions options) : options_(options) {}

    void begin_tick();
    void end_tick(Journal& journal);

    bool timing() const { return ticks_left_ > 0; }
    void begin_update() { update_began_ = options_.clock->now(); }
    void end_update(Who who);
    std::uint64_t overruns() const { return overruns_; }

private:
    bool on() const { return options_.clock && options_.budget > Duration::zero(); }
    void name_slowest(Journal& journal);

    OverrunOptions options_;
    Instant tick_began_{};
    Instant update_began_{};
    std::size_t ticks_left_ = 0;
    SlowFound slowest_{nobody, {}};
    std::uint64_t overruns_ = 0;
};

}  // namespace caribou::behavior
