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
///
/// | it is                    | it wants control                  | while no child wants control         |
/// |--------------------------|-----------------------------------|--------------------------------------|
/// | the base of the stack    | always                            | waits                                |
/// | nested                   | if a child that it could start    | ends with the outcome of the last    |
/// |                          | wants it                          | child, unless its class waits        |
/// | nested, want_always()    | always                            | waits                                |
///
/// Its own conditions must hold in addition.
class Dispatcher : public Behavior {
public:
    explicit Dispatcher(std::string id);

    std::size_t size() const { return children_.size(); }
    Behavior& child(std::size_t i) const { return *children_[i].behavior; }
    void get_all_delegates(DelegateSet& delegates) const override;
    /// Makes it want control regardless of its children. Must be called before the runner initializes the
    /// tree.
    void want_always();
    /// Makes it end with the first child that ends, with the same outcome. Must be called before the runner
    /// initializes the tree.
    void set_once() { is_once_ = true; }

protected:
    /// For constructors: children may be started again and again without being taken for a cycle.
    void declare_repeat();
    /// Adds a child in the order of declaration, before the runner initializes the tree. Returns its index.
    std::size_t add_child(Behavior& child);

    /// Starts a child, cancels the running one, ends, or does nothing. `ended` is the outcome of the child if
    /// this is called because a child has ended, otherwise null.
    virtual void choose(Control& control, const Outcome* ended) = 0;
    /// Called when a child has ended, or was cancelled by this dispatcher or from outside.
    virtual void on_child_ended(const View&, std::size_t) {}

    /// Returns whether a child may be started, apart from whether it wants to be.
    virtual bool is_available(const View&, std::size_t) const { return true; }
    /// Returns whether it could start a child if it were activated now. Asks the available children in order,
    /// until one wants control.
    virtual Wants could_start(const View& view) const;
    /// Ends it if it is nested and wants only what its children want, with the outcome of the last child, or
    /// as failed if none has run. A child that was started in this tick may be started in the next one, so
    /// nothing happens then. For choose(), when no child wants control.
    void end_unless_waiting(Control& control);

    /// Returns the index of the child that has control, or nullopt.
    std::optional<std::size_t> running() const { return running_; }
    /// Returns the outcome of the child that ended last in this activation.
    const std::optional<Outcome>& last() const { return last_; }
    /// Returns whether the child may be started in this tick and wants to be.
    Wants ask(Control& control, std::size_t i);
    /// Cancels the running child and delegates to this one, which must have agreed. Returns false if the
    /// delegation was refused.
    bool start(Control& control, std::size_t i);
    void stop(Control& control);

    Wants wants_to_be_activated(const View& view) const override;
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
    bool is_once_ = false;
    std::optional<Outcome> last_;  ///< of the child that ended last in this activation
};

}  // namespace caribou::behavior
