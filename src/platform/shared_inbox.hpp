#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <utility>

#include "loop/inbox.hpp"
#include "platform/event_loop.hpp"

namespace caribou {

/// A queue between threads: any thread pushes, and the component on `loop` pops. After pushes the loop runs
/// `on_items` once, and again in each turn while items are left. Must be created and destroyed on the loop's
/// thread, or while the loop is not running, and before the loop is destroyed; no push may be in progress
/// then.
template <class T>
class SharedInbox final : public Inbox<T> {
public:
    SharedInbox(EventLoop& loop, std::size_t capacity, WhenFull when_full, Task on_items)
        : loop_(loop),
          items_(capacity, when_full),
          consumer_(std::make_shared<Consumer>(*this, std::move(on_items))) {}

    ~SharedInbox() override { consumer_->inbox = nullptr; }
    SharedInbox(const SharedInbox&) = delete;
    SharedInbox& operator=(const SharedInbox&) = delete;

    [[nodiscard]] Pushed push(T item) override {
        const std::lock_guard lock(mutex_);
        return push_locked(std::move(item));
    }

    /// Like push(), but blocks until there is room. Returns refused if there was none before the deadline, or
    /// if a stop was requested. Must not be called from the loop's thread, which could not make room.
    [[nodiscard]] Pushed push_waiting(T item, Instant deadline, std::stop_token stop = {}) {
        const std::chrono::steady_clock::time_point until(deadline.time_since_epoch());
        std::unique_lock lock(mutex_);
        if (!room_.wait_until(lock, std::move(stop), until,
                              [this] { return items_.size() < items_.capacity(); }))
            return Pushed::refused;
        return push_locked(std::move(item));
    }

    std::optional<T> pop() override {
        std::optional<T> item;
        {
            const std::lock_guard lock(mutex_);
            item = items_.pop();
        }
        if (item) room_.notify_one();
        return item;
    }

    std::size_t size() const override {
        const std::lock_guard lock(mutex_);
        return items_.size();
    }

private:
    /// Accessed by a pending wake-up, even after the inbox was destroyed.
    struct Consumer {
        Consumer(SharedInbox& owner, Task task) : inbox(&owner), on_items(std::move(task)) {}
        SharedInbox* inbox;
        Task on_items;
    };

    Pushed push_locked(T item) {
        const Pushed outcome = items_.push(std::move(item));
        if (outcome != Pushed::refused && !wake_is_due_) wake();
        return outcome;
    }

    void wake() {
        wake_is_due_ = true;
        loop_.post_from_any_thread([consumer = consumer_] {
            if (consumer->inbox != nullptr) consumer->inbox->tell(*consumer);
        });
    }

    void tell(Consumer& consumer) {
        consumer.on_items();
        if (consumer.inbox == nullptr) return;
        const std::lock_guard lock(mutex_);
        wake_is_due_ = false;
        if (items_.size() > 0) wake();
    }

    EventLoop& loop_;
    mutable std::mutex mutex_;
    std::condition_variable_any room_;
    LocalInbox<T> items_;       // guarded by mutex_
    bool wake_is_due_ = false;  // guarded by mutex_
    std::shared_ptr<Consumer> consumer_;
};

}  // namespace caribou
