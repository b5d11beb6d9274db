#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "loop/strand.hpp"

namespace caribou {

/// A value shared between components. Every access holds a lock, for no longer than a copy takes.
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
    /// Non-blocking write. Returns false, and drops the value, if another component holds the lock.
    bool try_write(T value) {
        if (!lock_->try_lock()) return false;
        std::swap(value_, value);
        lock_->unlock();
        return true;
    }
    /// Returns the value and leaves a default-constructed one.
    T take() {
        const Locked locked(*lock_);
        return std::exchange(value_, T{});
    }
    template <class Change>
    void change(Change change) {
        const Locked locked(*lock_);
        change(value_);
    }
    /// Returns the lock itself, for tests and for readers that access the value in place.
    TryLock& lock() { return *lock_; }

private:
    std::unique_ptr<TryLock> lock_;
    T value_{};
};

/// Notifies a component on a strand. Triggers are counted, so none is lost however late the component handles
/// them. Must be created and destroyed on the strand, or while the strand does not run.
class StrandEvent {
public:
    StrandEvent(Strand& strand, Task on_event);
    ~StrandEvent();
    StrandEvent(const StrandEvent&) = delete;
    StrandEvent& operator=(const StrandEvent&) = delete;

    /// Runs the callback on the strand, unless an earlier trigger has not been taken yet: the callback must
    /// call take(). Any component may call this, from any strand.
    void trigger();
    /// Returns the number of triggers since the last call of take().
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
