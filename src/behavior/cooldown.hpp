#pragma once

#include <optional>

#include "base/random.hpp"
#include "loop/time.hpp"

namespace caribou::behavior {

/// How long something stays unavailable after it ended.
///
/// | forever | jitter | duration                                                 |
/// |---------|--------|----------------------------------------------------------|
/// | false   | 0      | `length`                                                 |
/// | false   | j      | `length` times a number drawn from [1 - j, 1 + j)        |
/// | true    | any    | until the end of the run: it is available only once      |
struct CooldownOptions {
    Duration length{0};
    double jitter = 0;  ///< from 0 to 1
    bool forever = false;
};

/// A cooldown that may be running.
class Cooldown {
public:
    explicit Cooldown(CooldownOptions options) : options_(options) {}

    /// Draws the duration of the next cooldown.
    void draw(Random& random);
    void begin(Instant now) { ends_ = now + drawn_; }
    /// Returns whether no cooldown is running.
    bool over(Instant now) const { return !ends_ || (now >= *ends_ && !options_.forever); }

private:
    CooldownOptions options_;
    Duration drawn_{0};
    std::optional<Instant> ends_;
};

}  // namespace caribou::behavior
