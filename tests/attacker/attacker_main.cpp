// An attacker as a separate process, until it is killed: nice 19 and on one core, or, with --usual-priority,
// as any other program.

#include <sched.h>
#include <unistd.h>

#include <csignal>
#include <string>
#include <string_view>

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
    const bool is_usual = count > 1 && std::string_view(words[1]) == "--usual-priority";
    if (is_usual) {
        ++words;
        --count;
    } else {
        keep_to_one_core();
        if (::nice(19) != 19) fmt::print(stderr, "caribou_attacker: nice 19 is not possible\n");
    }
    const std::string what = count > 2 ? words[1] : "";
    const std::string at = count > 2 ? words[2] : "";
    const std::string more = count > 3 ? words[3] : "";
    ::signal(SIGPIPE, SIG_IGN);
    if (what == "flood") flood_robot(at, more);
    if (what == "sessions") hold_sessions(at, more, 9);
    if (what == "handshakes") fail_handshakes(at, more);
    if (what == "requests") hold_requests(at, 64);
    if (what == "watchers") hold_watchers(at, 64);
    if (what == "storm") storm_requests(at);
    if (what == "pipeline") pipeline_requests(at);
    if (what == "replays") hold_replays(at, 30);
    fmt::print(stderr,
               "usage: caribou_attacker [--usual-priority] "
               "flood|sessions|handshakes|requests|watchers|storm|pipeline|replays "
               "ADDRESS [KEY]\n");
    return 2;
}
