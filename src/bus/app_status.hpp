#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "loop/time.hpp"

namespace caribou::bus {

/// Resources used by this process.
struct ProcessUsage {
    double cpu_percent = 0;  ///< of one core, since the previous call
    std::uint64_t memory_kb = 0;
    std::uint64_t memory_max_kb = 0;
};

/// Measures the resources of the process. kit/bus/process_probe.hpp implements it.
class ProcessProbe {
public:
    virtual ~ProcessProbe() = default;
    virtual ProcessUsage measure() = 0;
};

/// The status that an app publishes every two seconds.
struct AppStatus {
    bool error = false;
    Duration uptime{};
    ProcessUsage usage{};
    std::string name{};
    std::set<std::string, std::less<>> publishing{};
    std::set<std::string, std::less<>> subscribing{};
};

/// Returns the status in the format that the tools of the original parse, with a comma after each name:
/// `AppErrorFlag=false,Uptime=2.5,cpuload=0.3,memory_kb=4000,memory_max_kb=4100,MOOSName=pDepth,Publishing="A,B,",Subscribing="C,"`
std::string to_string(const AppStatus& status);

}  // namespace caribou::bus
