#include "platform/real_time_priority.hpp"

#include <sched.h>
#include <sys/resource.h>

#include <cerrno>
#include <tuple>

#include <fmt/format.h>

#include "platform/system_error.hpp"

namespace caribou {

Result<void> prefer_real_time(int priority) {
    const sched_param wanted{.sched_priority = priority};
    if (::sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &wanted) == 0) return {};
    return fail(system_error(fmt::format("no real-time priority {}", priority), errno));
}

void hasten_end(pid_t group) {
    // All threads of all its processes; then the first one, which a driver without children consists of.
    std::ignore = ::setpriority(PRIO_PGRP, static_cast<id_t>(group), -20);
    const sched_param wanted{.sched_priority = guard_priority};
    std::ignore = ::sched_setscheduler(group, SCHED_FIFO, &wanted);
}

}  // namespace caribou
