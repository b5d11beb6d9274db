#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <iterator>
#include <mutex>
#include <utility>
#include <vector>

#include "base/check.hpp"

namespace caribou {

/// A bounded queue between threads: one side puts, the other waits for it. Any thread may call
/// anything. For bindings to languages whose callbacks must not run on a client's thread.
template <class T>
class WaitingQueue {
public:
    explicit WaitingQueue(std::size_t limit) : limit_(limit) {
        check(limit > 0, "a queue has room for something");
    }

    /// At the limit the oldest makes room, and is counted in lost().
    void push(T item) {
        {
            const std::lock_guard lock(mutex_);
            put(std::move(item));
        }
        news_.notify_one();
    }
    /// Puts it unless an equal one waits.
    void push_once(T item) {
        {
            const std::lock_guard lock(mutex_);
            if (std::ranges::find(items_, item) == items_.end()) put(std::move(item));
        }
        news_.notify_one();
    }
    /// Waits until there is something, and takes all of it. Empty: the queue is closed.
    std::vector<T> wait() {
        std::unique_lock lock(mutex_);
        news_.wait(lock, [this] { return closed_ || !items_.empty(); });
        std::vector<T> all(std::move_iterator(items_.begin()), std::move_iterator(items_.end()));
        items_.clear();
        return all;
    }
    /// Drops what waits, wakes everyone who waits, and keeps nothing from now on.
    void close() {
        {
            const std::lock_guard lock(mutex_);
            closed_ = true;
            items_.clear();
        }
        news_.notify_all();
    }
    std::uint64_t lost() const {
        const std::lock_guard lock(mutex_);
        return lost_;
    }

private:
    void put(T item) {
        if (closed_) return;
        if (items_.size() == limit_) {
            items_.pop_front();
            ++lost_;
        }
        items_.push_back(std::move(item));
    }

    const std::size_t limit_;
    mutable std::mutex mutex_;  ///< guards all below
    std::condition_variable news_;
    std::deque<T> items_;
    std::uint64_t lost_ = 0;
    bool closed_ = false;
};

}  // namespace caribou
