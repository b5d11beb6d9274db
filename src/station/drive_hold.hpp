#pragma once

#include <optional>

#include "link/command.hpp"
#include "loop/time.hpp"
#include "motion/movement.hpp"

namespace caribou::station {

/// A held key. Its movement is sent repeatedly, each time with a short ttl, so that the robot halts by itself
/// when the commands stop; releasing the key halts it at once. A terminal does not report a release, but
/// repeats a held key: a key counts as held until its next repetition is overdue.
class DriveHold {
public:
    struct Settings {
        Duration every = std::chrono::milliseconds(150);
        Duration life = std::chrono::milliseconds(400);   ///< ttl of a command
        Duration first = std::chrono::milliseconds(700);  ///< until a held key starts to repeat
        Duration again = std::chrono::milliseconds(200);  ///< between two repetitions
    };
    DriveHold() : DriveHold(Settings{}) {}
    explicit DriveHold(const Settings& settings) : settings_(settings) {}

    void press(motion::MovementCommand movement, Instant now);
    void let_go();
    /// Ends the movement although its key may still be held: the key is ignored until it was not pressed for
    /// `first`, or another one is pressed. No effect without a held key.
    void interrupt(Instant now);
    /// Returns the command to send now, if any: the renewed movement or, at the end, a halt.
    std::optional<link::Command> due(Instant now);
    /// Returns whether a key is ignored because its movement was interrupted.
    bool is_interrupted(Instant now) const { return ignored_ && now < ignored_until_; }
    /// Returns the held movement.
    const std::optional<motion::MovementCommand>& held() const { return held_; }

private:
    Settings settings_;
    std::optional<motion::MovementCommand> held_{};
    std::optional<motion::MovementCommand> ignored_{};  ///< movement of an interrupted key
    Instant ignored_until_{};
    Instant until_{};
    Instant next_{};
    bool halt_ = false;  ///< a halt must be sent
};

}  // namespace caribou::station
