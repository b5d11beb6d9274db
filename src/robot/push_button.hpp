#pragma once

#include <optional>

#include "loop/time.hpp"

namespace caribou::robot {

/// Recognizes presses of a push button from samples of its line. A press begins with an edge: a line that is
/// stuck, or a button that is held at the start, is never a press.
///
/// | state   | meaning                                  | left by                                           |
/// |---------|------------------------------------------|---------------------------------------------------|
/// | unknown | at the start, and after a failed reading | the button is up: up                              |
/// | up      | it is not pressed                        | it is down: down                                  |
/// | down    | it is pressed                            | it is up: up, a press if it was held long enough  |
/// |         |                                          | and not too long; or, if it acts while held, a    |
/// |         |                                          | press after the time to hold: done                |
/// | done    | the press was reported                   | it is up: up                                      |
///
/// A failed reading leads to unknown from every state. Only a level that lasts for `debounce` counts.
class PushButton {
public:
    struct Options {
        Duration debounce = std::chrono::milliseconds(30);
        Duration hold = std::chrono::milliseconds(100);
        Duration longest = std::chrono::seconds(5);  ///< held for longer, it counts as stuck
        bool acts_while_held = false;                ///< false: it acts when it is let go
    };

    explicit PushButton(Options options) : options_(options) {}

    /// Must be called several times per `debounce`. `is_down` is nullopt if the line cannot be read. Returns
    /// when the button was pressed, once for each press.
    std::optional<Instant> sample(std::optional<bool> is_down, Instant now);

private:
    enum class State { unknown, up, down, done };
    std::optional<Instant> change(bool is_down);

    Options options_;
    State state_ = State::unknown;
    std::optional<bool> level_{};  ///< of the last sample
    Instant level_since_{};
    Instant down_since_{};
};

}  // namespace caribou::robot
