#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "behavior/dispatcher.hpp"

namespace caribou::behavior {

/// A dispatcher with a current state. Each state has one behavior, which several states may share, and
/// transitions lead from state to state.
///
/// | transition   | its condition is checked                       | and if it holds                |
/// |--------------|------------------------------------------------|--------------------------------|
/// | interrupting | in every update                                | cancels the behavior, moves on |
/// | when_idle    | in every update while the behavior of the      | moves on                       |
/// |              | state is not running                           |                                |
/// | on_exit      | once, in the tick in which the behavior ended, | moves on; always if it has no  |
/// |              | if it ended as the transition requires         | condition                      |
///
/// The first transition of a state, in the order of declaration, that is possible and holds is taken; all
/// conditions of the state are evaluated in any case. Entering a state starts its behavior in the same tick
/// if it wants control; otherwise it is asked again in each update. A behavior that ended without a
/// transition is not started again until the state is entered again. The machine never ends by itself; it
/// wants control if the behavior of the state in which it begins does. Conditions are live while the machine
/// is active and in their state.
///
/// The target `back` is the state from which the current one was entered. With Resume::yes the machine starts
/// where it was when it was last deactivated, otherwise in the first state.
class StateMachine final : public Dispatcher {
public:
    enum class Kind : std::uint8_t { interrupting, when_idle, on_exit };
    enum class Resume : std::uint8_t { no, yes };
    static constexpr std::string_view back = "<back>";

    explicit StateMachine(std::string id, Resume resume = Resume::no)
        : Dispatcher(std::move(id)), resume_(resume) {}

    /// Adds a state. The first one is the initial state. Fails with already_exists if the name is taken, and
    /// with invalid_argument if it is empty or `back`.
    Result<void> add_state(std::string name, Behavior& behavior);
    /// Adds a transition. `condition` may be null for on_exit, `target` may be `back`. With `ended_as`, an
    /// on_exit transition is possible only if the behavior ended so. Fails with not_found if there is no such
    /// state.
    Result<void> add_transition(std::string_view from, Kind kind, ConditionPtr condition,
                                std::string_view target,
                                std::optional<Outcome::Kind> ended_as = std::nullopt);
    /// Returns the name of the current state; empty before the first activation.
    std::string_view state_name() const;

protected:
    Wants could_start(const View& view) const override;
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
        std::optional<Outcome::Kind> ended_as;
    };
    struct State {
        std::string name;
        std::size_t child;
        std::vector<Transition> transitions;
    };

    std::size_t first_state() const { return resume_ == Resume::yes ? current_.value_or(0) : 0; }
    std::optional<std::size_t> find(std::string_view name) const;
    /// Returns whether the transition may be taken now if its condition holds.
    bool is_possible(const Transition& transition, const Outcome* ended) const;
    /// Evaluates all conditions of the state. Returns the transition to take, or null.
    const Transition* next_transition(Control& control, const Outcome* ended);
    void begin_state(Control& control);
    void end_state();

    Resume resume_;
    std::vector<State> states_;
    std::optional<std::size_t> current_;
    std::optional<std::size_t> previous_;
    bool started_ = false;  ///< the behavior of the current state has been started
};

}  // namespace caribou::behavior
