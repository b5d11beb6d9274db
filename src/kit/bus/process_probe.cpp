#include "kit/bus/process_probe.hpp"

#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

namespace caribou {
namespace {

rusage usage_now() {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return usage;
}

Duration cpu_time(const rusage& usage) {
    const auto part = [](const timeval& time) {
        return std::chrono::seconds(time.tv_sec) + std::chrono::microseconds(time.tv_usec);
    };
    return part(usage.ru_utime) + part(usage.ru_stime);
}

std::uint64_t resident_kb() {
    std::ifstream file("/proc/self/statm");
    std::uint64_t whole = 0;
    std::uint64_t resident = 0;
    file >> whole >> resident;
    return resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)) / 1024;
}

}  // namespace

SystemProcessProbe::SystemProcessProbe() : last_time_(clock_.now()), last_cpu_(cpu_time(usage_now())) {}

bus::ProcessUsage SystemProcessProbe::measure() {
    const rusage usage = usage_now();
    const Instant time = clock_.now();
    const Duration cpu = cpu_time(usage);
    const Duration passed = time - last_time_;
    const double percent =
        passed > Duration::zero() ? 100 * (to_seconds(cpu - last_cpu_) / to_seconds(passed)) : 0;
    last_time_ = time;
    last_cpu_ = cpu;
    // The kernel brings its own maximum up to date later than the present size.
    const std::uint64_t resident = resident_kb();
    return {percent, resident, std::max(resident, static_cast<std::uint64_t>(usage.ru_maxrss))};
}

}  // namespace caribou
