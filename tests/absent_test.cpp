// What a program reports that was built without a library: the sources x_absent.cpp of the adapters.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "adapters/bluez/bluez_radio.hpp"
#include "adapters/body/gpio_lines.hpp"
#include "adapters/dds/topic_transport.hpp"
#include "loop/memory_network.hpp"
#include "platform/event_loop.hpp"

namespace caribou {
namespace {

using testing::HasSubstr;

TEST(AbsentLibrary, GpioIsReported) {
    const auto lines = open_gpio("/dev/gpiochip0", {}, {});
    ASSERT_FALSE(lines);
    EXPECT_EQ(lines.error().code, Code::unavailable);
    EXPECT_THAT(lines.error().message, HasSubstr("install libgpiod-dev"));
}

TEST(AbsentLibrary, BluetoothIsReportedOnce) {
    EventLoop loop;
    MemoryLog log;
    BluezRadio radio(loop, log);
    EXPECT_TRUE(loop.run_until([&] { return radio.is_known(); }, std::chrono::seconds(5)));
    EXPECT_EQ(radio.status().kind, cubes::RadioStatus::Kind::unavailable);
    EXPECT_THAT(radio.status().text, HasSubstr("install libsdbus-c++-dev"));
    EXPECT_FALSE(radio.start_scan());
}

TEST(AbsentLibrary, DdsIsReportedAndOtherTopicsAreNotAffected) {
    EventLoop loop;
    MemoryNetwork network(loop);
    MemoryLog log;
    const auto dds = make_topic_transport({.transport = "dds"}, "robot", loop, network, log);
    ASSERT_FALSE(dds);
    EXPECT_EQ(dds.error().code, Code::unavailable);
    EXPECT_THAT(dds.error().message, HasSubstr("install cyclonedds-dev"));
    EXPECT_TRUE(make_topic_transport({.transport = "bus"}, "robot", loop, network, log));
}

}  // namespace
}  // namespace caribou
