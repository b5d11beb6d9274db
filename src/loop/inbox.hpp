#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>

namespace caribou {

/// The policy for a push to a full inbox. In both cases push() returns what was done.
enum class WhenFull {
    refuse,       ///< the new item is refused
    drop_oldest,  ///< the oldest item is removed to make room
};

enum class Pushed {
    accepted,
    dropped_oldest,  ///< accepted, but the oldest item was removed
    refused,
};

/// A bounded queue of items for a component. The thread-safe implementation is platform/shared_inbox.hpp.
template <class T>
class Inbox {
public:
    virtual ~Inbox() = default;
    /// Adds an item. Returns whether it was accepted, and whether an older one was dropped for it.
    [[nodiscard]] virtual Pushed push(T item) = 0;
    /// Removes and returns the oldest item, or returns nullopt if the inbox is empty.
    virtual std::optional<T> pop() = 0;
    virtual std::size_t size() const = 0;
};

/// An inbox for a single thread. Defines the behavior that the thread-safe one follows as well.
template <class T>
class LocalInbox final : public Inbox<T> {
public:
    LocalInbox(std::size_t capacity, WhenFull when_full) : capacity_(capacity), when_full_(when_full) {}

    [[nodiscard]] Pushed push(T item) override {
        Pushed outcome = Pushed::accepted;
        if (items_.size() >= capacity_) {
            if (when_full_ == WhenFull::refuse || capacity_ == 0) return Pushed::refused;
            items_.pop_front();
            outcome = Pushed::dropped_oldest;
        }
        items_.push_back(std::move(item));
        return outcome;
    }

    std::optional<T> pop() override {
        if (items_.empty()) return std::nullopt;
        std::optional<T> item(std::move(items_.front()));
        items_.pop_front();
        return item;
    }

    std::size_t size() const override { return items_.size(); }
    std::size_t capacity() const { return capacity_; }

private:
    std::size_t capacity_;
    WhenFull when_full_;
    std::deque<T> items_;
};

}  // namespace caribou
