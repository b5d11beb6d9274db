#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "behavior/behavior.hpp"

namespace caribou::behavior {

/// A behavior that does nothing itself but chooses which of its children has control. It chooses
/// when it is activated, in each update while active, and when a child has ended, in the same tick;
/// a child that was started in a tick is not started again in it. Charging, off the ground and
/// carrying are up to the children.
class Dispatcher : public Behavior {
public:
    explicit Dispatcher(std::string id);

    std::size_t size() const { return children_.size(); }
    Behavior& child(std::size_t i) const { return *children_[i].behavior; }
    void get_all_delegates(DelegateSet& delegates) const override;

protected:
    /// In the order of declaration; before the runner initialises the tree. Returns its place.
    std::size_t add_child(Behavior& child);

    /// Starts a child, cancels the running one, ends, or does nothing. `ended` tells how the last
    /// child ended, if that is why it is called.
    virtual void choose(Control& control, const Outcome* ended) = 0;
    /// A child has ended, or was cancelled by this dispatcher or from outside.
    virtual void on_child_ended(const View&, std::size_t) {}

    /// The child that has control, if any.
    std::optional<std::size_t> running() const { return running_; }
    /// Whether it may be started in this tick, and wants to.
    Wants ask(Control& control, std::size_t i);
    /// Cancels the running child and delegates to this one, which has said yes.
    bool start(Control& control, std::size_t i);
    void stop(Control& control);

    void on_activated(Control& control) final;
    void update(Control& control) final;
    void on_control_returned(Control& control, const Outcome& outcome) final;
    void on_deactivated(const View& view) final;
    /// It is activated, before the first choice; and deactivated, after the last.
    virtual void on_begin(Control&) {}
    virtual void on_end(const View&) {}

private:
    struct Child {
        Behavior* behavior;
        std::uint64_t started = 0;  ///< the tick in which it was started last
    };
    std::vector<Child> children_;
    std::optional<std::size_t> running_;
};

}  // namespace caribou::behavior
