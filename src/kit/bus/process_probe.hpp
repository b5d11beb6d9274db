#pragma once

#include "bus/app_status.hpp"
#include "platform/system_clock.hpp"

namespace caribou {

/// The resources used by this process, as counted by the kernel.
class SystemProcessProbe final : public bus::ProcessProbe {
public:
    SystemProcessProbe();
    bus::ProcessUsage measure() override;

private:
    SystemClock clock_;
    Instant last_time_;
    Duration last_cpu_;
};

}  // namespace caribou
