#include "adapters/keys/machine_check.hpp"

#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/timex.h>
#include <unistd.h>

#include <algorithm>
#include <thread>

#include <fmt/format.h>

#include "platform/descriptor.hpp"
#include "platform/listening_socket.hpp"
#include "platform/real_time_priority.hpp"
#include "platform/system_error.hpp"

namespace caribou {
namespace {

namespace fs = std::filesystem;
using State = MachineFinding::State;

MachineFinding check_port(const MachinePlaces::Port& port) {
    const std::string subject = fmt::format("port {}, {}", port.at.port, port.who);
    const auto opened = port.datagrams ? open_datagram_socket(port.at) : open_listening_socket(port.at);
    if (opened) {
        const Descriptor closes(*opened);
        return {subject, State::good, "free", {}};
    }
    return {subject, State::note, opened.error().message,
            fmt::format("if that is not Caribou itself: `ss -{}npl sport = :{}` shows its process; every "
                        "command accepts another port",
                        port.datagrams ? 'u' : 't', port.at.port)};
}

MachineFinding check_real_time() {
    int error = 0;
    std::thread([&] {
        sched_param parameters{};
        parameters.sched_priority = guard_priority;
        error = pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters);
    }).join();
    if (error == 0) return {"real-time rights", State::good, "propulsion can run with SCHED_FIFO", {}};
    return {
        "real-time rights", State::note,
        fmt::format("no SCHED_FIFO: {}; a busy machine makes the wheels late", system_words(error)),
        fmt::format("LimitRTPRIO={0} in the unit file, or `@robot - rtprio {0}` in /etc/security/limits.conf",
                    guard_priority)};
}

MachineFinding check_radio(const MachinePlaces& places) {
    std::error_code failed;
    if (fs::is_empty(places.adapters, failed) || failed)
        return {"radio", State::note, "no Bluetooth adapter: cubes are simulated ones",
                "plug one in, and see `bluetoothctl list`"};
    if (::access(places.system_bus.c_str(), R_OK | W_OK) != 0)
        return {"radio", State::bad, "there is an adapter, and no D-Bus to reach it by",
                "install and start `dbus` and `bluez`"};
    return {"radio", State::good, "there is a Bluetooth adapter, and a D-Bus to reach it by", {}};
}

/// The lines used by the `linux` body.
MachineFinding check_lines(const fs::path& devices) {
    std::error_code failed;
    std::vector<std::string> closed;
    bool any = false;
    for (const auto& entry : fs::directory_iterator(devices, failed)) {
        if (!entry.path().filename().string().starts_with("gpiochip")) continue;
        any = true;
        if (::access(entry.path().c_str(), R_OK | W_OK) != 0) closed.push_back(entry.path().string());
    }
    if (!any)
        return {"GPIO", State::note, "none here: a robot has a simulated body, or none",
                "nothing, unless this is the robot"};
    if (closed.empty()) return {"GPIO", State::good, "its lines may be driven", {}};
    return {"GPIO", State::bad, fmt::format("{} may not be opened by this user", closed.front()),
            "add the user to the group of that file, such as `adduser robot gpio`"};
}

void check_keys(const KeyFolder& keys, std::vector<MachineFinding>& findings) {
    const std::string subject = "keys";
    const auto all = keys.all();
    if (!all) {
        findings.push_back({subject, State::bad, all.error().message, "make it readable for its owner"});
        return;
    }
    bool bad = false;
    for (const KeyFolder::Entry& entry : *all) {
        if (entry.key) continue;
        bad = true;
        findings.push_back({subject, State::bad, entry.key.error().message,
                            "repair or remove the file; `caribou pair` makes a new key"});
    }
    if (all->empty())
        findings.push_back({subject, State::note,
                            fmt::format("none in {}: no other machine can connect", keys.path().string()),
                            "`caribou pair` makes one"});
    else if (!bad)
        findings.push_back(
            {subject, State::good, fmt::format("{} in {}", all->size(), keys.path().string()), {}});
}

MachineFinding check_disk(const MachinePlaces& places) {
    constexpr double mib = 1 << 20;
    std::error_code failed;
    const fs::space_info space = fs::space(places.recordings, failed);
    const std::string where = fs::absolute(places.recordings, failed).lexically_normal().string();
    if (failed)
        return {"disk", State::bad, fmt::format("{}: {}", where, failed.message()), "choose another folder"};
    const std::string found =
        fmt::format("{:.0f} MiB free at {}", static_cast<double>(space.available) / mib, where);
    if (::access(places.recordings.c_str(), W_OK) != 0)
        return {"disk", State::bad, where + " may not be written to by this user", "choose another folder"};
    if (space.available < places.disk_needed)
        return {"disk", State::bad, found,
                fmt::format("make room: recordings want {:.0f} MiB",
                            static_cast<double>(places.disk_needed) / mib)};
    return {"disk", State::good, found, {}};
}

MachineFinding check_descriptors() {
    constexpr rlim_t for_a_fleet = 4096;
    rlimit limit{};
    ::getrlimit(RLIMIT_NOFILE, &limit);
    const std::string found = fmt::format("{} descriptors for one program", limit.rlim_max);
    if (limit.rlim_max >= for_a_fleet) return {"connections", State::good, found, {}};
    return {"connections", State::note, found, "LimitNOFILE=65536 in the unit file, for many robots"};
}

MachineFinding check_clock() {
    timex state{};
    if (::adjtimex(&state) != TIME_ERROR) return {"clock", State::good, "kept by the network", {}};
    return {"clock", State::note, "it is not synchronized: times in recordings are this machine's own",
            "start `systemd-timesyncd` or `chrony`"};
}

}  // namespace

std::vector<MachineFinding> check_machine(const MachinePlaces& places) {
    std::vector<MachineFinding> findings;
    std::ranges::transform(places.ports, std::back_inserter(findings), check_port);
    findings.push_back(check_real_time());
    findings.push_back(check_descriptors());
    findings.push_back(check_clock());
    findings.push_back(check_disk(places));
    check_keys(places.keys, findings);
    findings.push_back(check_radio(places));
    findings.push_back(check_lines(places.devices));
    return findings;
}

}  // namespace caribou
