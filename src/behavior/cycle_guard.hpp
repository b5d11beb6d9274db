#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "behavior/difference.hpp"

namespace caribou::behavior {

/// Detects that the top of the stack repeats without progress.
///
/// | last five tops                                           | cycle |
/// |----------------------------------------------------------|-------|
/// | A A A A A or A B A B A, neighbors at most 2 ticks apart  | yes   |
/// | anything else                                            | no    |
///
/// A top is the last of a series of pushes without a pop in between, that is, the end of a chain of
/// delegations. A declared repeat starts a new series of tops.
class CycleGuard {
public:
    static constexpr std::uint64_t max_distance = 2;

    void popped() { settled_ = true; }
    void repeat_declared() { count_ = 0; }
    /// Records a push. Returns the cycle that it closes, or nullopt.
    std::optional<CycleFound> pushed(Who who, std::uint64_t tick);
    void reset();

private:
    struct Top {
        Who who;
        std::uint64_t tick;
    };
    std::array<Top, 5> tops_{};  ///< oldest first
    std::size_t count_ = 0;
    bool settled_ = false;
};

}  // namespace caribou::behavior
