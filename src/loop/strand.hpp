#pragma once

#include <memory>

#include "loop/loop.hpp"

namespace caribou {

/// Guards data shared between components, whether they run on different threads or on the same one.
class TryLock {
public:
    virtual ~TryLock() = default;
    virtual void lock() = 0;
    /// Returns false if the lock is held.
    virtual bool try_lock() = 0;
    virtual void unlock() = 0;
};

/// Holds a lock during its lifetime.
class Locked {
public:
    explicit Locked(TryLock& lock) : lock_(lock) { lock_.lock(); }
    ~Locked() { lock_.unlock(); }
    Locked(const Locked&) = delete;
    Locked& operator=(const Locked&) = delete;

private:
    TryLock& lock_;
};

/// The execution context of a component: its loop, and the functions that other components need to reach it.
/// On a robot every thread is a strand (platform/thread_strand.hpp); in a simulation all strands share one
/// loop.
class Strand {
public:
    virtual ~Strand() = default;
    virtual Loop& loop() = 0;
    /// Runs the task on the loop, in order of posting. Any component may call this, from any strand.
    virtual void post_here(Task task) = 0;
    /// Creates a lock for data shared with components on other strands.
    virtual std::unique_ptr<TryLock> make_lock() = 0;
};

/// A strand for components that all run on the same loop.
class LocalStrand final : public Strand {
public:
    explicit LocalStrand(Loop& loop) : loop_(loop) {}

    Loop& loop() override { return loop_; }
    void post_here(Task task) override { loop_.post(std::move(task)); }
    std::unique_ptr<TryLock> make_lock() override;

private:
    Loop& loop_;
};

}  // namespace caribou
