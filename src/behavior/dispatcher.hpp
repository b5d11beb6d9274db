#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "behavior/behavior.hpp"

namespace caribou::behavior {

/// A behavior that only selects which of its children has control. It selects when it is activated, in each
/// update while active, and when a child has ended, in the same tick; a child that was started in a tick is
/// not started again in it. It is allowed while charging, off the ground and carrying; its children decide
/// for themselves.
class Dispatcher : public Behavior {
public:
    explicit Dispatcher(std::string id);

    std::size_t size() const { return children_.size(); }
    Behavior& child(std::size_t i) const { return *children_[i].behavior; }
    void get_all_delegates(DelegateSet& delegates) const override;

protected:
    /// Adds a child in the order of declaration, before the runner initializes the tree. Returns its index.
    std::size_t add_child(Behavior& child);

    /// Starts a child, cancels the running one, ends, or does nothing. `ended` is the outcome of the child if
    /// this is called because a child has ended, otherwise null.
    virtual void choose(Control& control, const Outcome* ended) = 0;
    /// Called when a child has ended, or was cancelled by this dispatcher or from outside.
    virtual void on_child_ended(const View&, std::size_t) {}

    /// Returns the index of the child that has control, or nullopt.
    std::optional<std::size_t> running() const { return running_; }
    /// Returns whether the child may be started in this tick and wants to be.
    Wants ask(Control& control, std::size_t i);
    /// Cancels the running child and delegates to this one, which must have agreed. Returns false if the
    /// delegation was refused.
    bool start(Control& control, std::size_t i);
    void stop(Control& control);

    void on_activated(Control& control) final;
    void update(Control& control) final;
    void on_control_returned(Control& control, const Outcome& outcome) final;
    void on_deactivated(const View& view) final;
    /// Called on activation, before the first choice, and on deactivation, after the last one.
    virtual void on_begin(Control&) {}
    virtual void on_end(const View&) {}

private:
    struct Child {
        Behavior* behavior;
        std::uint64_t started = 0;  ///< tick in which it was last started
    };
    std::vector<Child> children_;
    std::optional<std::size_t> running_;
};

}  // namespace caribou::behavior
