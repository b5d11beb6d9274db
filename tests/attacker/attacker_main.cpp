// An attacker as a separate process: nice 19, on one core, until it is killed.

#include <sched.h>
#include <unistd.h>

#include <csignal>
#include <string>

#include <fmt/format.h>

#include "attacker/attacks.hpp"

namespace {

/// All attackers share the first core available to this process.
void keep_to_one_core() {
    cpu_set_t allowed;
    if (::sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
    for (std::size_t core = 0; core < CPU_SETSIZE; ++core) {
        if (!CPU_ISSET(core, &allowed)) continue;
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(core, &one);
        ::sched_setaffinity(0, sizeof one, &one);
        return;
    }
}

}  // namespace

int main(int count, char** words) {
    using namespace caribou::tests;
    const std::string what = count > 2 ? words[1] : "";
    const std::string at = count > 2 ? words[2] : "";
    const std::string more = count > 3 ? words[3] : "";
    ::signal(SIGPIPE, SIG_IGN);
    keep_to_one_core();
    if (::nice(19) != 19) fmt::print(stderr, "caribou_attacker: nice 19 is not possible\n");
    if (what == "flood") flood_robot(at, more);
    if (what == "sessions") hold_sessions(at, more, 9);
    if (what == "handshakes") fail_handshakes(at, more);
    if (what == "requests") hold_requests(at, 64);
    if (what == "watchers") hold_watchers(at, 64);
    fmt::print(stderr, "usage: caribou_attacker flood|sessions|handshakes|requests|watchers ADDRESS [KEY]\n");
    return 2;
}
