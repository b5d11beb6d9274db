#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "behavior/dispatcher.hpp"

namespace caribou::behavior {

/// A dispatcher that remembers what it is about. Each state has one behavior, several states may
/// share one, and the transitions lead from state to state.
///
/// | transition   | its condition is looked at                     | and if it holds                |
/// |--------------|------------------------------------------------|--------------------------------|
/// | interrupting | in every update                                | cancels the behavior, moves on |
/// | when_idle    | in every update while the behavior of the      | moves on                       |
/// |              | state does not run                             |                                |
/// | on_exit      | once, in the tick in which the behavior ended  | moves on; without a condition: |
/// |              |                                                | always                         |
///
/// The first transition of a state, in the order of declaration, that may be taken and holds is
/// taken; all conditions of the state are evaluated in any case. Entering a state starts its
/// behavior, if that wants, in the same tick; one that does not want is asked again in each update.
/// A behavior that ended without a transition stays off until the state is entered again. Conditions
/// are live while the machine is active and in their state.
///
/// The target `back` is the state from which the current one was entered. With Resume::yes the
/// machine begins where it was when it was last deactivated, else in the first state.
class StateMachine final : public Dispatcher {
public:
    enum class Kind : std::uint8_t { interrupting, when_idle, on_exit };
    enum class Resume : std::uint8_t { no, yes };
    static constexpr std::string_view back = "<back>";

    explicit StateMachine(std::string id, Resume resume = Resume::no)
        : Dispatcher(std::move(id)), resume_(resume) {}

    /// The first one added is where the machine begins. already_exists: the name is taken.
    Result<void> add_state(std::string name, Behavior& behavior);
    /// The condition may be null for on_exit. not_found: no such state; the target may be `back`.
    Result<void> add_transition(std::string_view from, Kind kind, ConditionPtr condition,
                                std::string_view target);
    /// The name of the current state; empty before the first activation.
    std::string_view state_name() const;

protected:
    void init(const View& view) override;
    void on_begin(Control& control) override;
    void choose(Control& control, const Outcome* ended) override;
    void on_end(const View& view) override;

private:
    static constexpr std::size_t to_previous = SIZE_MAX;
    struct Transition {
        Kind kind;
        ConditionPtr condition;
        std::size_t target;
    };
    struct State {
        std::string name;
        std::size_t child;
        std::vector<Transition> transitions;
    };

    std::optional<std::size_t> find(std::string_view name) const;
    std::optional<std::size_t> next_state(Control& control, bool exits);
    void begin_state(Control& control);
    void end_state();

    Resume resume_;
    std::vector<State> states_;
    std::optional<std::size_t> current_;
    std::optional<std::size_t> previous_;
    bool started_ = false;  ///< the behavior of the current state has been started
};

}  // namespace caribou::behavior
