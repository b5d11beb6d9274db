#pragma once

#include <memory>

#include "loop/loop.hpp"

namespace caribou {

/// Guards what several components share, be they on threads of their own or not.
class TryLock {
public:
    virtual ~TryLock() = default;
    virtual void lock() = 0;
    /// False: somebody holds it at present.
    virtual bool try_lock() = 0;
    virtual void unlock() = 0;
};

/// Holds a lock for as long as it lives.
class Locked {
public:
    explicit Locked(TryLock& lock) : lock_(lock) { lock_.lock(); }
    ~Locked() { lock_.unlock(); }
    Locked(const Locked&) = delete;
    Locked& operator=(const Locked&) = delete;

private:
    TryLock& lock_;
};

/// Where a component lives: its loop, and what others need to reach it there. On a robot each thread is
/// one (platform/thread_strand.hpp); in a simulation all share a loop.
class Strand {
public:
    virtual ~Strand() = default;
    virtual Loop& loop() = 0;
    /// Runs the task on the loop, in order of posting. Any component may call, wherever it lives.
    virtual void post_here(Task task) = 0;
    /// For what is shared with components elsewhere.
    virtual std::unique_ptr<TryLock> make_lock() = 0;
};

/// A strand whose neighbours all live on the same loop.
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
