#pragma once

#include <optional>

#include "loop/time.hpp"

namespace caribou::motion {

/// Measures whether a condition has been true without interruption.
class Persisting {
public:
    /// Returns whether the condition has been true for at least `limit` until now.
    bool longer_than(Duration limit, bool is_the_case, Instant now) {
        if (!is_the_case) since_.reset();
        if (is_the_case && !since_) since_ = now;
        return since_ && now - *since_ >= limit;
    }

private:
    std::optional<Instant> since_;
};

}  // namespace caribou::motion
