#include "bus/app_status.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace caribou::bus {

std::string to_string(const AppStatus& status) {
    return fmt::format(
        "AppErrorFlag={},Uptime={:.6g},cpuload={:.4f},memory_kb={},memory_max_kb={},MOOSName={},"
        "Publishing=\"{}\",Subscribing=\"{}\"",
        status.error, to_seconds(status.uptime), status.usage.cpu_percent, status.usage.memory_kb,
        status.usage.memory_max_kb, status.name, fmt::join(status.publishing, ","),
        fmt::join(status.subscribing, ","));
}

}  // namespace caribou::bus
