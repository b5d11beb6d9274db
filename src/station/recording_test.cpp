#include <algorithm>

#include <fmt/format.h>

#include "loop/memory_disk.hpp"
#include "station/recording_folder.hpp"
#include "station/station_recorder.hpp"
#include "station/station_replay.hpp"
#include "station/station_rig.hpp"

namespace caribou::station {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;

class RecordingTest : public StationRig {
protected:
    void record(RecorderSettings settings = {}) {
        station = std::make_unique<Station>(loop, *station_host, FleetSettings{}, log);
        ASSERT_TRUE(station->fleet().listen(Address::ip("0.0.0.0", 9600)));
        recorder = std::make_unique<StationRecorder>(loop, *station, folder, settings);
        add_robot().telemetry.ranges = {{0.5F, 1.25F}};
    }
    std::vector<std::string> files(std::string_view ending) {
        std::vector<std::string> names = disk.list().value();
        std::erase_if(names, [&](const std::string& name) { return !name.ends_with(ending); });
        std::ranges::sort(names);
        return names;
    }
    std::map<std::string, int> topics(ByteView file) {
        std::map<std::string, int> counts;
        auto reader = wire::McapReader::open(file).value();
        while (const auto message = reader.next()) counts[std::string(message->channel->topic)] += 1;
        complete = reader.complete();
        return counts;
    }

    MemoryDisk disk;
    RecordingFolder folder{disk, 1_MiB, log};
    std::unique_ptr<Station> station;
    std::unique_ptr<StationRecorder> recorder;
    bool complete = false;
};

TEST_F(RecordingTest, HoldsEverythingThatHappened) {
    record();
    loop.advance(2s);
    station->fleet().find("rover")->send(link::command_from("ping").value(), driver,
                                         [](const link::Answer&) {});
    robots[0]->send(link::ErrorReport{"the lidar is silent"});
    loop.run_ready();
    recorder->finish();
    EXPECT_THAT(files(".mcap"), ElementsAre("20260101-000000-0001.mcap"));
    auto counts = topics(disk.bytes("20260101-000000-0001.mcap"));
    EXPECT_TRUE(complete);
    EXPECT_NEAR(counts["/rover/motion"], 20, 1);
    EXPECT_EQ(counts["/rover/scan"], counts["/rover/motion"]);
    EXPECT_EQ(counts["/rover/command"], 1);
    EXPECT_EQ(counts["/rover/answer"], 1);
    EXPECT_EQ(counts["/rover/report"], 1);
    EXPECT_GE(counts["/rover/status"], 3) << "wait, shake, run1";

    const Bytes& alog = disk.bytes("20260101-000000-0001.alog");
    wire::AlogReader lines(text_of(alog));
    std::map<std::string, int> variables;
    while (const auto entry = lines.next()) variables[std::string(entry->variable)] += 1;
    EXPECT_EQ(lines.passed_over(), 0u);
    EXPECT_EQ(variables["ROVER_X"], counts["/rover/motion"]);
    EXPECT_EQ(variables["ROVER_COMMAND"], 1);
}

TEST_F(RecordingTest, IsReadableWhereverItWasCut) {
    record();
    loop.advance(5s);
    const Bytes whole = disk.bytes(files(".mcap").at(0));
    const int all = topics(whole)["/rover/motion"];
    EXPECT_GE(all, 40) << "all but the last half second, without an end";
    int before = 0;
    for (std::size_t size = 100; size < whole.size(); size += 97) {
        auto counts = topics(ByteView(whole).first(size));
        EXPECT_GE(counts["/rover/motion"], before);
        before = counts["/rover/motion"];
    }
    EXPECT_GT(before, all - 10);
}

TEST_F(RecordingTest, BeginsANewFileAndDropsTheOldest) {
    record({.file_bytes = 50_KiB});
    loop.advance(300s);
    recorder->finish();
    std::size_t used = 0;
    for (const std::string& name : files(".mcap")) used += disk.bytes(name).size();
    for (const std::string& name : files(".alog")) used += disk.bytes(name).size();
    EXPECT_LE(used, 1_MiB);
    EXPECT_GT(used, 500_KiB);
    EXPECT_EQ(folder.lost(), 0u);
    EXPECT_FALSE(files(".mcap").front().ends_with("-0001.mcap")) << "the oldest has gone";
    for (const std::string& name : files(".mcap")) {
        EXPECT_GE(topics(disk.bytes(name))["/rover/status"], 1) << name << " begins with the state";
        EXPECT_TRUE(complete) << name;
    }
}

TEST_F(RecordingTest, SaysOnceThatADiskIsFull) {
    record();
    disk.set_capacity(2_KiB);
    loop.advance(10s);
    EXPECT_GT(folder.lost(), 5u);
    EXPECT_EQ(
        std::ranges::count_if(log.lines, [](const auto& l) { return l.text.contains("recording is lost"); }),
        1);
    EXPECT_EQ(station->fleet().find("rover")->mode(), StationMode::run1) << "and the robot is not disturbed";
}

TEST_F(RecordingTest, PlaysIntoTheSameInterface) {
    record();
    loop.advance(10s);
    robots[0]->telemetry.pose.x = 7;
    loop.advance(1s);
    recorder->finish();
    FleetFeed::Cursor live;
    station->feed().watch(live, {"rover"});
    const std::string told = station->feed().next(live, 0);

    Station shown(loop, network, {}, log);
    auto replay = *StationReplay::open(loop, shown, disk.read(recorder->name() + ".mcap").value(), 100);
    replay->start();
    EXPECT_FALSE(replay->ended());
    loop.advance(150ms);
    EXPECT_TRUE(replay->ended());
    EXPECT_EQ(replay->messages(), recorder->messages());
    FleetFeed::Cursor past;
    shown.feed().watch(past, {"rover"});
    EXPECT_EQ(shown.feed().next(past, 0), told);
    EXPECT_NEAR(shown.now(), loop.clock().unix_seconds(), 0.5) << "the time of the recording";
}

TEST_F(RecordingTest, RefusesToPlayWhatIsNoRecording) {
    Station shown(loop, network, {}, log);
    ASSERT_TRUE(disk.create("x.mcap").value()->append(Bytes(100)));
    EXPECT_FALSE(StationReplay::open(loop, shown, disk.read("x.mcap").value(), 1));
}

}  // namespace
}  // namespace caribou::station
