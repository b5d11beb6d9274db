#include "platform/stray_processes.hpp"

#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <vector>

#include "platform/child_processes.hpp"
#include "platform/real_time_priority.hpp"
#include "platform/system_clock.hpp"

namespace caribou {
namespace {

/// Between two passes, so that the killed processes get to run, and end.
constexpr timespec pause_of_passes{.tv_sec = 0, .tv_nsec = 200'000};
/// Limits one pass over a tree that grows meanwhile.
constexpr std::size_t most_in_tree = 4096;

}  // namespace

bool StrayProcesses::kill(Duration limit) {
    const SystemClock clock;
    rounds_ = {};
    for (const Instant until = clock.now() + limit; kill_once();) {
        if (clock.now() >= until) return false;
        ::ppoll(nullptr, 0, &pause_of_passes, nullptr);
    }
    return true;
}

bool StrayProcesses::kill_once() {
    const bool in_group = group_.is_populated();
    if (in_group) group_.kill();
    std::vector<pid_t> found;
    for (const pid_t child : child_processes(::getpid())) {
        if (child == robot_) continue;
        if (has_child_ended(child)) {
            reaper_.reap(child);
            continue;
        }
        kill_tree(child, found);
    }
    rounds_.add(found);
    return !found.empty() || in_group;
}

void StrayProcesses::kill_tree(pid_t process, std::vector<pid_t>& found) {
    std::vector<pid_t> tree{process};
    for (std::size_t i = 0; i < tree.size() && i < most_in_tree; ++i) {
        // Killed first: it starts nothing more while its children are read.
        ::kill(tree[i], SIGKILL);
        hasten_end(tree[i]);
        for (const pid_t child : child_processes(tree[i])) tree.push_back(child);
    }
    found.insert(found.end(), tree.begin(), tree.end());
}

void StrayProcesses::reap(pid_t driver) {
    for (const pid_t child : child_processes(::getpid()))
        if (child != robot_ && child != driver && has_child_ended(child)) reaper_.reap(child);
}

}  // namespace caribou
