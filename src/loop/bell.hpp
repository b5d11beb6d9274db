#pragma once

#include <memory>

#include "loop/loop.hpp"

namespace caribou {

/// Calls its owner back from the loop, at most once a turn, however often it is rung. The owner
/// may be destroyed by what it does then; no call follows. For those who make
/// streams.
class Bell {
public:
    /// How long an event that its hearer did nothing about waits before it comes again, so that a
    /// hearer that leaves it lying neither burns the processor nor keeps a virtual clock standing.
    static constexpr Duration pause = std::chrono::milliseconds(1);

    Bell(Loop& loop, Task on_ring);
    ~Bell();
    Bell(const Bell&) = delete;
    Bell& operator=(const Bell&) = delete;

    /// Calls back at the end of this turn.
    void ring();
    /// Calls back after the pause, unless ring() comes first.
    void ring_later();
    /// Turns false when the bell, and so its owner, is destroyed: to be asked after every call that
    /// may have done that.
    std::shared_ptr<const bool> alive() const { return {core_, &core_->alive}; }

private:
    /// What a posted call needs, which may come after the bell is gone.
    struct Core {
        Task on_ring;
        bool alive = true;
        bool rung = false;
    };

    Loop& loop_;
    std::shared_ptr<Core> core_;
    std::unique_ptr<Timer> later_;
};

}  // namespace caribou
