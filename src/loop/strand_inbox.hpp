#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <utility>

#include "loop/inbox.hpp"
#include "loop/strand.hpp"

namespace caribou {

/// The inbox of a component on a strand: any component may push, only the owner pops. After a push the strand
/// runs `on_items`, once for any number of pushes, and again while items are left. Must be created and
/// destroyed on the strand, or while the strand does not run.
template <class T>
class StrandInbox final : public Inbox<T> {
public:
    StrandInbox(Strand& strand, std::size_t capacity, WhenFull when_full, Task on_items)
        : strand_(strand),
          lock_(strand.make_lock()),
          items_(capacity, when_full),
          owner_(std::make_shared<Owner>(Owner{this, std::move(on_items)})) {}
    ~StrandInbox() override { owner_->inbox = nullptr; }
    StrandInbox(const StrandInbox&) = delete;
    StrandInbox& operator=(const StrandInbox&) = delete;

    [[nodiscard]] Pushed push(T item) override {
        bool wakes = false;
        Pushed outcome{};
        {
            const Locked locked(*lock_);
            outcome = items_.push(std::move(item));
            wakes = outcome != Pushed::refused && !std::exchange(awake_, true);
            if (outcome != Pushed::accepted) ++lost_;
        }
        if (wakes) wake();
        return outcome;
    }
    std::optional<T> pop() override {
        const Locked locked(*lock_);
        return items_.pop();
    }
    std::size_t size() const override {
        const Locked locked(*lock_);
        return items_.size();
    }
    /// Returns the number of items that were refused or dropped because the inbox was full.
    std::size_t lost() const {
        const Locked locked(*lock_);
        return lost_;
    }

private:
    /// State shared with posted tasks, which may run after the inbox is destroyed.
    struct Owner {
        StrandInbox* inbox;
        Task on_items;
    };

    void wake() {
        strand_.post_here([owner = owner_] {
            if (owner->inbox) owner->on_items();
            if (owner->inbox) owner->inbox->rest();
        });
    }
    void rest() {
        bool wakes = false;
        {
            const Locked locked(*lock_);
            wakes = awake_ = items_.size() > 0;
        }
        if (wakes) wake();
    }

    Strand& strand_;
    std::unique_ptr<TryLock> lock_;
    LocalInbox<T> items_;   // guarded by lock_
    bool awake_ = false;    // guarded by lock_
    std::size_t lost_ = 0;  // guarded by lock_
    std::shared_ptr<Owner> owner_;
};

}  // namespace caribou
