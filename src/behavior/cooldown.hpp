#pragma once

#include <optional>

#include "base/random.hpp"
#include "loop/time.hpp"

namespace caribou::behavior {

/// How long something rests after it ended.
///
/// | forever | jitter | rests                                                    |
/// |---------|--------|----------------------------------------------------------|
/// | false   | 0      | `length`                                                 |
/// | false   | j      | `length` times a number drawn from [1 - j, 1 + j)        |
/// | true    | any    | until the end of the run: it has its one time            |
struct CooldownOptions {
    Duration length{0};
    double jitter = 0;  ///< from 0 to 1
    bool forever = false;
};

/// One cooldown that is running, or is not.
class Cooldown {
public:
    explicit Cooldown(CooldownOptions options) : options_(options) {}

    /// Draws how long the next rest is.
    void draw(Random& random);
    void begin(Instant now) { ends_ = now + drawn_; }
    bool over(Instant now) const { return !ends_ || (now >= *ends_ && !options_.forever); }

private:
    CooldownOptions options_;
    Duration drawn_{0};
    std::optional<Instant> ends_;
};

}  // namespace caribou::behavior
