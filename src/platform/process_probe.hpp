#pragma once

#include "bus/app_status.hpp"
#include "platform/system_clock.hpp"

namespace caribou {

/// What this very process takes of the machine, as the system counts it.
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
