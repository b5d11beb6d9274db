#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "loop/strand.hpp"

namespace caribou {

/// One value between components, under a lock that is held for no longer than a copy takes.
template <class T>
class SharedBuffer {
public:
    explicit SharedBuffer(Strand& any) : lock_(any.make_lock()) {}

    T copy() const {
        const Locked locked(*lock_);
        return value_;
    }
    void write(T value) {
        const Locked locked(*lock_);
        std::swap(value_, value);
    }
    /// For who would rather drop its value than wait. False: somebody is at it.
    bool try_write(T value) {
        if (!lock_->try_lock()) return false;
        std::swap(value_, value);
        lock_->unlock();
        return true;
    }
    /// Gives the value away, and leaves an empty one.
    T take() {
        const Locked locked(*lock_);
        return std::exchange(value_, T{});
    }
    template <class Change>
    void change(Change change) {
        const Locked locked(*lock_);
        change(value_);
    }
    /// For tests, and for who reads in place: the lock itself.
    TryLock& lock() { return *lock_; }

private:
    std::unique_ptr<TryLock> lock_;
    T value_{};
};

/// Tells a component on a strand that something has happened. How often is counted, so that nothing is
/// lost however late it looks. Made and destroyed on the strand or while it stands still.
class StrandEvent {
public:
    StrandEvent(Strand& strand, Task on_event);
    ~StrandEvent();
    StrandEvent(const StrandEvent&) = delete;
    StrandEvent& operator=(const StrandEvent&) = delete;

    /// Any component may call.
    void trigger();
    /// How often it was triggered since the last call.
    std::uint64_t take();

private:
    struct Owner {
        bool alive;
        Task on_event;
    };

    Strand& strand_;
    SharedBuffer<std::uint64_t> count_;
    std::shared_ptr<Owner> owner_;
};

}  // namespace caribou
