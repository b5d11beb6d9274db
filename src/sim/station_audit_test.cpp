#include "sim/station_audit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace caribou::sim {
namespace {

using link::Answer;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct StationAuditTest : testing::Test {
    /// Returns the id of the command.
    link::CommandId send(std::string_view text, std::string_view asker) {
        link::Command command = link::command_from(text).value();
        command.id = {++last};
        audit.sent("rover", command, asker);
        return command.id;
    }

    std::uint64_t last = 0;
    StationAudit audit;
};

TEST_F(StationAuditTest, FindsAnAutopilotThatDrivesAfterAPersonHasTakenOver) {
    audit.started("rover");
    send("move_forward level=1", station::RobotSession::autopilot);
    send("status", "driver");
    send("move_forward level=1", station::RobotSession::autopilot);
    EXPECT_THAT(audit.findings(), IsEmpty());
    send("setRM(2)", "driver");
    send("move movement=HALT", station::RobotSession::autopilot);
    EXPECT_THAT(audit.findings(), IsEmpty());
    send("move_forward level=1", station::RobotSession::autopilot);
    EXPECT_THAT(audit.findings(), ElementsAre(HasSubstr("the autopilot drives rover")));
}

TEST_F(StationAuditTest, AllowsItToDriveWhenAPersonHasStartedItAgain) {
    send("full_stop", "driver");
    audit.started("rover");
    send("move_forward level=1", station::RobotSession::autopilot);
    EXPECT_THAT(audit.findings(), IsEmpty());
}

TEST_F(StationAuditTest, AllowsItToDriveAfterACommandThatWasNotSent) {
    const auto refused = send("move_backward level=1", "driver");
    audit.answered("rover", Answer::refused(refused, {link::Refusal::busy, "later"}));
    send("move_forward level=1", station::RobotSession::autopilot);
    EXPECT_THAT(audit.findings(), IsEmpty());
}

TEST_F(StationAuditTest, KnowsTheEarliestStopThatIsNotAnswered) {
    EXPECT_EQ(audit.open_stop("rover"), std::nullopt);
    const auto first = send("full_stop", "driver");
    const auto second = send("full_stop", "driver");
    EXPECT_EQ(audit.open_stop("rover"), first.value);
    audit.answered("rover", Answer::done(first));
    EXPECT_EQ(audit.open_stop("rover"), second.value);
    audit.restart();
    EXPECT_EQ(audit.open_stop("rover"), std::nullopt);
}

}  // namespace
}  // namespace caribou::sim
