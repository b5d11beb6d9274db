#pragma once

#include <mutex>

#include "loop/strand.hpp"
#include "platform/event_loop.hpp"

namespace caribou {

/// A strand on a loop with its own thread.
class ThreadStrand final : public Strand {
public:
    /// The loop must outlive this object and everything created with it.
    explicit ThreadStrand(EventLoop& loop) : loop_(loop) {}

    Loop& loop() override { return loop_; }
    void post_here(Task task) override { loop_.post_from_any_thread(std::move(task)); }
    std::unique_ptr<TryLock> make_lock() override { return std::make_unique<MutexLock>(); }

private:
    class MutexLock final : public TryLock {
    public:
        void lock() override { mutex_.lock(); }
        bool try_lock() override { return mutex_.try_lock(); }
        void unlock() override { mutex_.unlock(); }

    private:
        std::mutex mutex_;
    };

    EventLoop& loop_;
};

}  // namespace caribou
