#include "sim/robot_audit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "loop/virtual_loop.hpp"

namespace caribou::sim {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr StreamNumber its_station{1};

struct RobotAuditTest : testing::Test {
    static link::Command command(std::uint64_t id, link::CommandCode code) { return {{id}, code, {}}; }
    void release(std::uint64_t id, StreamNumber stream = its_station) {
        audit.on_command(stream, command(id, link::CommandCode::release_stop));
        audit.on_done(stream, command(id, link::CommandCode::release_stop), loop.clock().now());
    }

    VirtualLoop loop;
    RobotAudit audit{loop.clock(), motion::MotionSettings{}};
};

TEST_F(RobotAuditTest, AllowsReleasesThatWereSentAfterTheStop) {
    audit.on_command(its_station, command(7, link::CommandCode::full_stop));
    release(8);
    audit.on_datagram_stop(its_station, 9);
    release(10);
    release(3, {2});
    EXPECT_THAT(audit.findings(), IsEmpty());
}

TEST_F(RobotAuditTest, FindsAReleaseThatWasSentBeforeAStopByDatagram) {
    audit.on_datagram_stop(its_station, 9);
    release(8);
    EXPECT_THAT(audit.findings(), ElementsAre(HasSubstr("release 8, which was sent before full stop 9")));
}

TEST_F(RobotAuditTest, AllowsAReleaseThatIsAnsweredAfterALaterStopWasRead) {
    audit.on_command(its_station, command(8, link::CommandCode::release_stop));
    audit.on_datagram_stop(its_station, 9);
    audit.on_done(its_station, command(8, link::CommandCode::release_stop), loop.clock().now());
    EXPECT_THAT(audit.findings(), IsEmpty());
}

TEST_F(RobotAuditTest, ForgetsAConnectionThatHasEnded) {
    audit.on_datagram_stop(its_station, 9);
    audit.on_gone(its_station);
    release(8);
    EXPECT_THAT(audit.findings(), IsEmpty());
}

}  // namespace
}  // namespace caribou::sim
