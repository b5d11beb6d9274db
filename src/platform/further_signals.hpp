#pragma once

// Private to platform.

#include <functional>
#include <vector>

namespace caribou {

/// Replaces the handlers of these signals, which `remove_handlers` removes: within the next second they are
/// ignored, then they have their default effect, without a gap. Thread-safe.
void restore_after_a_second(const std::vector<int>& signals, const std::function<void()>& remove_handlers);

}  // namespace caribou
