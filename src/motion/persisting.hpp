#pragma once

#include <optional>

#include "loop/time.hpp"

namespace caribou::motion {

/// Tells whether something has been the case without a break.
class Persisting {
public:
    /// Whether it has been the case for at least `limit`, up to now.
    bool longer_than(Duration limit, bool is_the_case, Instant now) {
        if (!is_the_case) since_.reset();
        if (is_the_case && !since_) since_ = now;
        return since_ && now - *since_ >= limit;
    }

private:
    std::optional<Instant> since_;
};

}  // namespace caribou::motion
