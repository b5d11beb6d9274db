#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "loop/time.hpp"

namespace caribou::bus {

/// What this process takes of the machine.
struct ProcessUsage {
    double cpu_percent = 0;  ///< of one core, since the last time it was asked for
    std::uint64_t memory_kb = 0;
    std::uint64_t memory_max_kb = 0;
};

/// Looks at the process. The real one is platform/process_probe.hpp.
class ProcessProbe {
public:
    virtual ~ProcessProbe() = default;
    virtual ProcessUsage measure() = 0;
};

/// What an app says of itself every two seconds.
struct AppStatus {
    bool error = false;
    Duration uptime{};
    ProcessUsage usage{};
    std::string name{};
    std::set<std::string, std::less<>> publishing{};
    std::set<std::string, std::less<>> subscribing{};
};

/// In the form that the tools of the original read:
/// `AppErrorFlag=false,Uptime=2.5,cpuload=0.3,memory_kb=4000,memory_max_kb=4100,MOOSName=pDepth,Publishing="A,B",Subscribing="C"`
std::string to_string(const AppStatus& status);

}  // namespace caribou::bus
