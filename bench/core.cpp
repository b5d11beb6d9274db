#include "core.hpp"

#include <sched.h>

#include <cstddef>

#include "give_up.hpp"

namespace caribou::bench {
namespace {

/// Returns the cores available to this program at its start.
const cpu_set_t& all_cores() {
    static const cpu_set_t all = [] {
        cpu_set_t cores;
        need(::sched_getaffinity(0, sizeof cores, &cores) == 0, "find this thread's cores");
        return cores;
    }();
    return all;
}

void stay_on(const cpu_set_t& cores) {
    need(::sched_setaffinity(0, sizeof cores, &cores) == 0, "move to another core");
}

}  // namespace

OneCore::OneCore() {
    cpu_set_t last;
    for (std::size_t i = 0; i < CPU_SETSIZE; ++i) {
        if (!CPU_ISSET(i, &all_cores())) continue;
        CPU_ZERO(&last);
        CPU_SET(i, &last);
    }
    stay_on(last);
}

OneCore::~OneCore() { stay_on(all_cores()); }

}  // namespace caribou::bench
