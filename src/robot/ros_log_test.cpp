#include "robot/ros_log.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "loop/virtual_loop.hpp"
#include "msg/rcl_interfaces/log.hpp"
#include "negotiation/in_process_transport.hpp"
#include "negotiation/typed_sample.hpp"

namespace caribou::robot {
namespace {

using msg::rcl_interfaces::Log;

struct LogEar final : negotiation::ReaderEvents {
    void on_sample(const negotiation::Peer&, const negotiation::Sample& sample) override {
        heard.push_back(**negotiation::object_of<Log>(sample));
    }
    std::vector<Log> heard;
};

TEST(RosLog, PublishesLinesAndKeepsThemForLateReaders) {
    VirtualLoop loop;
    LocalStrand strand(loop);
    negotiation::InProcessTransport transport(loop);
    RosLog log(strand, transport, "rover");
    ASSERT_TRUE(log.start());
    const auto write = log.writer();
    write(Level::warning, "the battery is low");
    loop.advance(std::chrono::seconds(1));
    LogEar ear;
    const auto reader = transport.subscribe({"/rosout", "rcl_interfaces/msg/Log"},
                                            {.durability = negotiation::Durability::transient_local}, ear);
    loop.advance(std::chrono::seconds(1));
    ASSERT_EQ(ear.heard.size(), 1U);
    EXPECT_EQ(ear.heard[0].level, Log::WARN);
    EXPECT_EQ(ear.heard[0].name, "rover");
    EXPECT_EQ(ear.heard[0].msg, "the battery is low");
}

TEST(RosLog, TakesLimitedMemoryWhileItsStrandHangs) {
    VirtualLoop loop;
    LocalStrand strand(loop);
    negotiation::InProcessTransport transport(loop);
    RosLog log(strand, transport, "rover");
    ASSERT_TRUE(log.start());
    LogEar ear;
    const auto reader = transport.subscribe({"/rosout", "rcl_interfaces/msg/Log"}, {}, ear);
    loop.advance(std::chrono::seconds(1));
    const auto write = log.writer();
    for (std::size_t i = 0; i < 2 * RosLog::max_waiting; ++i) write(Level::info, "again");
    loop.advance(std::chrono::seconds(1));
    EXPECT_EQ(ear.heard.size(), RosLog::max_waiting);
    write(Level::error, "later");
    loop.advance(std::chrono::seconds(1));
    EXPECT_EQ(ear.heard.back().msg, "later");
}

}  // namespace
}  // namespace caribou::robot
