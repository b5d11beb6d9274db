#pragma once

#include "base/result.hpp"
#include "platform/descriptor.hpp"

// Private to platform.

namespace caribou {

/// Below the control group (v2) of this process, which was delegated to it, makes the groups `guard` and
/// `robot`, and moves this process to `guard`. Returns the open cgroup.procs of `robot`. Freezing `robot`
/// then leaves this process alone.
Result<Descriptor> make_guard_groups();

}  // namespace caribou
