#pragma once

#include <memory>

#include "loop/loop.hpp"

namespace caribou {

/// Schedules a callback on the loop, at most one per turn however often ring() is called. The callback may
/// destroy the bell's owner, and with it the bell; no further call follows. Used by implementations of
/// streams.
class Bell {
public:
    /// The delay before an event is repeated that its handler did not act on. Without it, a handler that
    /// ignores an event would use all CPU time, or keep a virtual clock from advancing.
    static constexpr Duration pause = std::chrono::milliseconds(1);

    Bell(Loop& loop, Task on_ring);
    ~Bell();
    Bell(const Bell&) = delete;
    Bell& operator=(const Bell&) = delete;

    /// Schedules the callback at the end of this turn.
    void ring();
    /// Schedules the callback after `pause`, unless ring() is called first.
    void ring_later();
    /// Returns a flag that becomes false when the bell, and thus its owner, is destroyed. Check it after
    /// every call that may have destroyed the owner.
    std::shared_ptr<const bool> alive() const { return {core_, &core_->alive}; }

private:
    /// State of a posted callback, which may run after the bell is destroyed.
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
