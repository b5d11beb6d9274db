#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "behavior/difference.hpp"

namespace caribou::behavior {

/// Notices that the top of the stack goes round in circles.
///
/// | last five tops                                         | cycle |
/// |--------------------------------------------------------|-------|
/// | A A A A A or A B A B A, neighbours at most 2 ticks apart | yes |
/// | anything else                                          | no    |
///
/// A top is the last of a row of pushes without a pop in between: what a chain of delegations ends
/// at. A declared repeat begins a new row of tops.
class CycleGuard {
public:
    static constexpr std::uint64_t max_distance = 2;

    void popped() { settled_ = true; }
    void repeat_declared() { count_ = 0; }
    /// Returns whether that closes a cycle, and which.
    std::optional<CycleFound> pushed(Who who, std::uint64_t tick);
    void reset();

private:
    struct Top {
        Who who;
        std::uint64_t tick;
    };
    std::array<Top, 5> tops_{};  ///< the oldest first
    std::size_t count_ = 0;
    bool settled_ = false;
};

}  // namespace caribou::behavior
