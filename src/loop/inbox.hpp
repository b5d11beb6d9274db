#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>

namespace caribou {

/// What a full inbox does with one more item.
enum class WhenFull {
    refuse,       ///< the newcomer is turned away, and the sender is told
    drop_oldest,  ///< the oldest makes room, and the sender is told
};

enum class Pushed {
    accepted,
    dropped_oldest,  ///< accepted, at the price of the oldest item
    refused,
};

/// A bounded queue into a component. The one for several threads is platform/shared_inbox.hpp.
template <class T>
class Inbox {
public:
    virtual ~Inbox() = default;
    [[nodiscard]] virtual Pushed push(T item) = 0;
    virtual std::optional<T> pop() = 0;
    virtual std::size_t size() const = 0;
};

/// An inbox for one thread, and the rule that the threaded one follows too.
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
