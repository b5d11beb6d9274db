#pragma once

#include <optional>

#include "link/command.hpp"
#include "loop/time.hpp"
#include "motion/movement.hpp"

namespace caribou::station {

/// A key that is held. Its movement is sent again and again, each time with a short life, so that the
/// robot halts by itself when nothing comes any more; letting go halts it at once. A terminal tells no
/// letting go, but repeats a key that is held: a key counts as held until its next repetition is overdue.
class DriveHold {
public:
    struct Settings {
        Duration every = std::chrono::milliseconds(150);
        Duration life = std::chrono::milliseconds(400);   ///< of a command
        Duration first = std::chrono::milliseconds(700);  ///< until a key begins to repeat
        Duration again = std::chrono::milliseconds(200);  ///< from one repetition to the next
    };
    DriveHold() : DriveHold(Settings{}) {}
    explicit DriveHold(const Settings& settings) : settings_(settings) {}

    void press(motion::MovementCommand movement, Instant now);
    void let_go();
    /// The command to be sent now, if there is one: renewed, or, at the end, a halt.
    std::optional<link::Command> due(Instant now);
    /// What is held.
    const std::optional<motion::MovementCommand>& held() const { return held_; }

private:
    Settings settings_;
    std::optional<motion::MovementCommand> held_{};
    Instant until_{};
    Instant next_{};
    bool halt_ = false;  ///< is to be sent
};

}  // namespace caribou::station
