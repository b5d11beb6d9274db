#pragma once

#include <sys/types.h>

#include <utility>
#include <vector>

#include "loop/time.hpp"
#include "platform/child_reaper.hpp"
#include "platform/control_group.hpp"
#include "platform/stray_rounds.hpp"

// Private to platform.

namespace caribou {

/// The processes that a driver has started and that have left its process group. This process is a child
/// subreaper: each of them becomes its child when its own parent ends.
class StrayProcesses {
public:
    /// `robot` is a child of this process that is not a stray. The group may be empty; if it can be killed,
    /// no process in it escapes, however fast it starts others.
    StrayProcesses(pid_t robot, DriverGroup group) : robot_(robot), group_(std::move(group)) {}

    const DriverGroup& group() const { return group_; }
    /// Kills all children of this process except for the robot, and what they have started, until none is
    /// left, but at most for `limit`. Returns whether none is left.
    bool kill(Duration limit);
    /// Returns whether new processes were found again and again during the last kill().
    bool grows() const { return rounds_.grows(); }
    /// Reaps the children that have ended, except for the robot and this driver.
    void reap(pid_t driver);

private:
    /// Returns whether something was left to be killed.
    bool kill_once();
    /// Kills a process and all below it, and adds them to `found`.
    static void kill_tree(pid_t process, std::vector<pid_t>& found);

    pid_t robot_;
    DriverGroup group_;
    ChildReaper reaper_;
    StrayRounds rounds_;
};

}  // namespace caribou
