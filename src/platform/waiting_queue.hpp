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

/// A bounded queue between threads: one side pushes, the other waits. Thread-safe. For bindings to languages
/// whose callbacks must not run on a client's thread.
template <class T>
class WaitingQueue {
public:
    /// `limit` is the maximum number of items; it must be positive.
    explicit WaitingQueue(std::size_t limit) : limit_(limit) {
        check(limit > 0, "a queue has room for something");
    }

    /// Appends an item. A full queue drops the oldest one, counted in lost().
    void push(T item) {
        {
            const std::lock_guard lock(mutex_);
            put(std::move(item));
        }
        news_.notify_one();
    }
    /// Appends an item unless an equal one is waiting.
    void push_once(T item) {
        {
            const std::lock_guard lock(mutex_);
            if (std::ranges::find(items_, item) == items_.end()) put(std::move(item));
        }
        news_.notify_one();
    }
    /// Blocks until there are items, and returns all of them; returns an empty vector if the queue is closed.
    std::vector<T> wait() {
        std::unique_lock lock(mutex_);
        news_.wait(lock, [this] { return closed_ || !items_.empty(); });
        std::vector<T> all(std::move_iterator(items_.begin()), std::move_iterator(items_.end()));
        items_.clear();
        return all;
    }
    /// Drops all items, wakes all waiting threads, and ignores later pushes.
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
    mutable std::mutex mutex_;  ///< guards all members below
    std::condition_variable news_;
    std::deque<T> items_;
    std::uint64_t lost_ = 0;
    bool closed_ = false;
};

}  // namespace caribou
