#include "station/mark_finder.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace caribou::station {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// Writes a recording, one message per second.
struct Written {
    Written()
        : status_channel(writer.add_channel("/rover/status", "json", 0)),
          log_channel(writer.add_channel("/rover/log", "json", 0)),
          report_channel(writer.add_channel("/rover/report", "json", 0)) {
        status.mode = data::StationMode::run1;
        status.robot.emplace().run_mode = data::RunMode::rm2;
    }
    void add(std::uint16_t channel, std::string_view json) {
        time += 1'000'000'000;
        writer.add(channel, time, time, bytes_of(json));
    }
    void add_status() { add(status_channel, to_json(status)); }
    data::MarksMessage marks() {
        const Bytes file = writer.finish();
        MarkFinder finder(wire::McapReader::open(file).value());
        while (!finder.read_on(3)) {}
        return finder.take();
    }
    std::vector<std::string> lines() {
        std::vector<std::string> all;
        for (const auto& [at, robot, kind, text] : marks().marks)
            all.push_back(fmt::format("{} {} {}: {}", at, robot, to_string(kind), text));
        return all;
    }

    wire::McapWriter writer{{}};
    std::uint16_t status_channel;
    std::uint16_t log_channel;
    std::uint16_t report_channel;
    std::uint64_t time = 0;
    data::Status status;
};

TEST(MarkFinder, FindsChangesOfModesConnectionStopsFaultsAndBehaviors) {
    Written written;
    written.add_status();
    written.add_status();
    written.status.robot->behavior = "explore";
    written.add_status();
    written.status.robot->behavior = "charge";
    written.add_status();
    written.status.robot->behavior.clear();
    written.status.robot->stopped = true;
    written.status.robot->faults = {"lidar silent"};
    written.add_status();
    written.status.robot->stopped = false;
    written.status.robot->faults.clear();
    written.status.robot->run_mode = data::RunMode::rm1;
    written.status.robot->waits_for = data::WaitReason::timed_sleep;
    written.add_status();
    written.status.mode = data::StationMode::wait;
    written.status.why = "no data for 3 s";
    written.add_status();
    written.status.mode = data::StationMode::run1;
    written.add_status();
    EXPECT_THAT(written.lines(),
                ElementsAre("3 rover behavior: behavior explore began",
                            "4 rover behavior: behavior explore ended, charge began", "5 rover stop: stopped",
                            "5 rover fault: fault: lidar silent", "5 rover behavior: behavior charge ended",
                            "6 rover mode: run mode RM1(TimedSleep) (before: RM2)",
                            "6 rover release: stop released", "6 rover fault: fault ended: lidar silent",
                            "7 rover link: connection lost: no data for 3 s", "8 rover link: connected"));
}

TEST(MarkFinder, FindsChangesAcrossAConnectionWithoutTelemetryAtItsStart) {
    Written written;
    written.status.robot->behavior = "explore";
    written.add_status();
    data::Status connecting = written.status;
    connecting.robot.reset();
    written.add(written.status_channel, to_json(connecting));
    written.status.robot->stopped = true;
    written.status.robot->run_mode = data::RunMode::rm3;
    written.status.robot->faults = {"lidar silent"};
    written.status.robot->behavior.clear();
    written.add_status();
    EXPECT_THAT(written.lines(), ElementsAre("3 rover mode: run mode RM3 (before: RM2)",
                                             "3 rover stop: stopped", "3 rover fault: fault: lidar silent",
                                             "3 rover behavior: behavior explore ended"));
}

TEST(MarkFinder, FindsWhatARobotWithoutTelemetryHasConfirmedAndItsEnd) {
    Written written;
    written.status.robot.reset();
    written.status.acknowledged_stop = false;
    written.status.acknowledged_mode = data::RunMode::rm2;
    written.add_status();
    written.status.acknowledged_stop = true;
    written.add_status();
    written.status.acknowledged_mode = data::RunMode::rm1;
    written.status.acknowledged_waits_for = data::WaitReason::timed_sleep;
    written.add_status();
    written.status.presence = data::Presence::off;
    written.status.off_reason = "battery empty";
    written.add_status();
    EXPECT_THAT(written.lines(),
                ElementsAre("2 rover stop: stopped", "3 rover mode: run mode RM1(TimedSleep) (before: RM2)",
                            "4 rover mode: off: battery empty"));
}

TEST(MarkFinder, FindsReportsOfBothVersionsAndSkipsMalformedMessages) {
    Written written;
    written.add(written.log_channel, R"({"message":"the lidar is silent"})");
    written.add(written.report_channel, R"({"text":"it is back"})");
    for (const char* const json : {"", "{", "[]", R"({"message":5})"}) {
        written.add(written.log_channel, json);
        written.add(written.status_channel, json);
    }
    EXPECT_THAT(written.lines(),
                ElementsAre("1 rover report: the lidar is silent", "2 rover report: it is back"));
}

TEST(MarkFinder, OmitsBehaviorsFirstIfThereAreTooMany) {
    Written written;
    for (std::size_t i = 0; i <= MarkFinder::max_marks; ++i) {
        written.status.robot->behavior = fmt::format("b{}", i);
        written.add_status();
    }
    written.status.robot->stopped = true;
    written.add_status();
    const data::MarksMessage found = written.marks();
    ASSERT_EQ(found.marks.size(), 1U);
    EXPECT_EQ(found.marks[0].text, "stopped");
    EXPECT_EQ(found.omitted, MarkFinder::max_marks);
}

}  // namespace
}  // namespace caribou::station
