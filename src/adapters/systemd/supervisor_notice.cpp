#include "adapters/systemd/supervisor_notice.hpp"

#include <systemd/sd-daemon.h>

#include <cstdint>

#include <fmt/format.h>

namespace caribou {
namespace {

constexpr int keep_environment = 0;

void tell(const std::string& lines) { ::sd_notify(keep_environment, lines.c_str()); }

}  // namespace

void SupervisorNotice::ready(std::string_view status) { tell(fmt::format("READY=1\nSTATUS={}", status)); }
void SupervisorNotice::status(std::string_view status) { tell(fmt::format("STATUS={}", status)); }
void SupervisorNotice::alive() { tell("WATCHDOG=1"); }
void SupervisorNotice::stopping(std::string_view status) {
    tell(fmt::format("STOPPING=1\nSTATUS={}", status));
}

std::optional<Duration> SupervisorNotice::watchdog() const {
    std::uint64_t microseconds = 0;
    if (::sd_watchdog_enabled(keep_environment, &microseconds) <= 0) return std::nullopt;
    return std::chrono::microseconds(microseconds);
}

}  // namespace caribou
