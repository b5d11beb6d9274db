#include "kit/bus/process_probe.hpp"

#include <gtest/gtest.h>

namespace caribou {
namespace {

TEST(SystemProcessProbe, SeesWhatThisProcessTakes) {
    SystemProcessProbe probe;
    volatile double work = 1;
    const SystemClock clock;
    const Instant end = clock.now() + std::chrono::milliseconds(30);
    while (clock.now() < end) work = work * 1.0000001;
    const auto usage = probe.measure();
    EXPECT_GT(usage.cpu_percent, 0);
    EXPECT_LE(usage.cpu_percent, 1000);
    EXPECT_GT(usage.memory_kb, 100u);
    EXPECT_GE(usage.memory_max_kb, usage.memory_kb);
}

}  // namespace
}  // namespace caribou
