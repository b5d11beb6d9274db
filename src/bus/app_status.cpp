#include "bus/app_status.hpp"

#include <fmt/format.h>

namespace caribou::bus {
namespace {

/// Returns the names, each followed by a comma.
std::string listed(const std::set<std::string, std::less<>>& names) {
    std::string list;
    for (const std::string& name : names) list.append(name).append(",");
    return list;
}

}  // namespace

std::string to_string(const AppStatus& status) {
    return fmt::format(
        "AppErrorFlag={},Uptime={:.6g},cpuload={:.4f},memory_kb={},memory_max_kb={},MOOSName={},"
        "Publishing=\"{}\",Subscribing=\"{}\"",
        status.error, to_seconds(status.uptime), status.usage.cpu_percent, status.usage.memory_kb,
        status.usage.memory_max_kb, status.name, listed(status.publishing), listed(status.subscribing));
}

}  // namespace caribou::bus
