#pragma once

#include <string>
#include <utility>

#include "base/result.hpp"
#include "platform/descriptor.hpp"

// Private to platform.

namespace caribou {

/// The control group (v2) of a driver and of everything that it starts.
class DriverGroup {
public:
    /// No group: nothing happens.
    DriverGroup() = default;
    /// Makes the folder, below the group of the robot. A kernel without cgroup.kill (before 5.14) is refused.
    static Result<DriverGroup> make(const std::string& folder);
    /// A group that is only joined, by its open cgroup.procs.
    explicit DriverGroup(Descriptor processes) : processes_(std::move(processes)) {}

    /// Returns the open cgroup.procs, or -1 if there is no group.
    int processes() const { return processes_ ? processes_.get() : -1; }
    /// Kills all processes of the group. None escapes by starting others.
    void kill() const;
    /// Returns whether the group can be killed and has a living process.
    bool is_populated() const;

private:
    Descriptor processes_;
    Descriptor kill_;
    Descriptor events_;
};

struct GuardGroups {
    Descriptor robot{};       ///< its open cgroup.procs
    DriverGroup driver{};     ///< below `robot`; if it cannot be made, `robot` itself, which is not killed
    std::string complaint{};  ///< why the driver has no group of its own; empty if it has one
};

/// Below the control group (v2) of this process, which was delegated to it, makes the groups `guard`,
/// `robot` and `robot/driver`, and moves this process to `guard`. Freezing `robot` then leaves this process
/// alone.
Result<GuardGroups> make_guard_groups();

}  // namespace caribou
