#include "robot/push_button.hpp"

namespace caribou::robot {

std::optional<Instant> PushButton::sample(std::optional<bool> is_down, Instant now) {
    if (level_ != is_down) {
        level_ = is_down;
        level_since_ = now;
    }
    if (!is_down) {
        state_ = State::unknown;
        return std::nullopt;
    }
    if (now - level_since_ >= options_.debounce)
        if (const auto pressed = change(*is_down)) return pressed;
    if (state_ != State::down || !options_.acts_while_held || now - down_since_ < options_.hold)
        return std::nullopt;
    state_ = State::done;
    return down_since_;
}

/// The level has lasted for long enough.
std::optional<Instant> PushButton::change(bool is_down) {
    if (is_down) {
        if (state_ != State::up) return std::nullopt;
        state_ = State::down;
        down_since_ = level_since_;
        return std::nullopt;
    }
    const bool was_down = state_ == State::down;
    state_ = State::up;
    if (!was_down || options_.acts_while_held) return std::nullopt;
    const Duration held = level_since_ - down_since_;
    if (held < options_.hold || held > options_.longest) return std::nullopt;
    return down_since_;
}

}  // namespace caribou::robot
