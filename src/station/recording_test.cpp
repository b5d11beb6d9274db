#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/json_node.hpp"
#include "loop/memory_disk.hpp"
#include "station/recording_folder.hpp"
#include "station/recording_player.hpp"
#include "station/recordings.hpp"
#include "station/station_recorder.hpp"
#include "station/station_rig.hpp"

namespace caribou::station {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;

class RecordingTest : public StationRig {
protected:
    void record(RecorderSettings settings = {.flush = 500ms}) {
        station = std::make_unique<Station>(loop, *station_host, FleetSettings{}, log);
        ASSERT_TRUE(station->fleet().listen(Address::ip("0.0.0.0", 9600)));
        recorder = std::make_unique<StationRecorder>(loop, *station, folder, settings);
        recorder->start();
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
        while (const auto message = reader.next()) counts[message->channel->topic] += 1;
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

TEST_F(RecordingTest, DescribesEachMemberOfItsMessagesInTheirSchemas) {
    record();
    loop.advance(2s);
    station->fleet().find("rover")->send(link::command_from("ping").value(), driver,
                                         [](const link::Answer&) {});
    robots[0]->send(link::ErrorReport{"the lidar is silent"});
    loop.run_ready();
    recorder->finish();
    const Bytes file = disk.bytes(files(".mcap").at(0));
    auto reader = wire::McapReader::open(file).value();
    std::set<std::string> names;
    while (const auto message = reader.next()) {
        names.emplace(message->channel->schema_name);
        EXPECT_EQ(message->channel->schema_encoding, "jsonschema");
        const auto schema = read_json(message->channel->schema_text);
        const auto value = read_json(text_of(message->data));
        ASSERT_TRUE(schema && value);
        const JsonNode* const properties = schema->find("properties");
        ASSERT_NE(properties, nullptr) << message->channel->topic;
        for (const JsonNode& member : value->items)
            EXPECT_NE(properties->find(member.key), nullptr) << message->channel->topic << " " << member.key;
    }
    EXPECT_THAT(names, testing::IsSupersetOf({"caribou.status", "caribou.motion", "caribou.scan",
                                              "caribou.command", "caribou.answer", "caribou.report"}));
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
    record({.file_bytes = 50_KiB, .flush = 500ms});
    loop.advance(600s);
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

TEST_F(RecordingTest, BeginsANewFileOnceThereIsRoomAgain) {
    record();
    loop.advance(3s);
    disk.set_capacity(disk.bytes(files(".mcap").front()).size() + 3_KiB);
    loop.advance(20s);
    disk.set_capacity(100_MiB);
    loop.advance(10s);
    recorder->finish();
    ASSERT_EQ(files(".mcap").size(), 2u) << "none of those that could not even begin";
    EXPECT_GE(topics(disk.bytes(files(".mcap").front()))["/rover/motion"], 25);
    EXPECT_FALSE(complete) << "it ends where the disk was full";
    EXPECT_GE(topics(disk.bytes(files(".mcap").back()))["/rover/motion"], 50);
    EXPECT_TRUE(complete);
}

TEST_F(RecordingTest, BeginsAnewWhenItIsStartedAgain) {
    record();
    loop.advance(2s);
    recorder->finish();
    loop.advance(2s);
    recorder->finish();
    EXPECT_FALSE(recorder->recording());
    recorder->start();
    loop.advance(2s);
    recorder->finish();
    ASSERT_THAT(files(".mcap"), ElementsAre("20260101-000000-0001.mcap", "20260101-000004-0002.mcap"));
    for (const std::string& name : files(".mcap")) {
        EXPECT_NEAR(topics(disk.bytes(name))["/rover/motion"], 20, 1);
        EXPECT_TRUE(complete);
    }
}

TEST_F(RecordingTest, PlaysWhatTheInterfaceTold) {
    record();
    loop.advance(10s);
    robots[0]->telemetry.pose.x = 7;
    loop.advance(1s);
    recorder->finish();
    FleetFeed::Cursor live;
    station->feed().watch(live, {"rover"}, {views::View::scan});
    const std::string told = station->feed().next(live, 0);

    auto player = *RecordingPlayer::open(loop, "trial", disk.read(recorder->name() + ".mcap").value());
    const auto shown = [&] {
        FleetFeed::Cursor past;
        FleetFeed::watch(past, {"rover"}, {views::View::scan});
        std::string text = player->feed().next(past, 0);
        constexpr std::string_view mark = R"("replay":"trial",)";
        const std::size_t at = text.find(mark);
        EXPECT_NE(at, std::string::npos);
        return at == std::string::npos ? text : text.erase(at, mark.size());
    };
    int ends = 0;
    player->on_end([&] { ends += 1; });
    EXPECT_EQ(player->now(), player->start());
    EXPECT_NEAR(player->end() - player->start(), 11, 0.2);
    player->set_speed(100);
    player->play();
    loop.advance(100ms);
    EXPECT_TRUE(player->playing());
    EXPECT_NEAR(player->now(), player->start() + 10, 0.01);
    EXPECT_THAT(shown(), HasSubstr(R"("pose":{"x":0)"));
    loop.advance(20ms);
    EXPECT_FALSE(player->playing()) << "at the end";
    EXPECT_EQ(ends, 1);
    EXPECT_EQ(player->messages(), recorder->messages());
    EXPECT_EQ(shown(), told);

    player->seek(player->start() + 5);
    loop.advance(1s);
    EXPECT_NEAR(player->now(), player->start() + 5, 0.001) << "paused";
    EXPECT_THAT(shown(), HasSubstr(R"("pose":{"x":0)"));
    player->seek(player->end() + 100);
    EXPECT_EQ(shown(), told);
    player->seek(0);
    EXPECT_EQ(player->now(), player->start());
    EXPECT_EQ(ends, 1);
}

TEST_F(RecordingTest, RefusesToPlayWhatIsNoRecording) {
    ASSERT_TRUE(disk.create("x.mcap").value()->append(Bytes(100)));
    EXPECT_FALSE(RecordingPlayer::open(loop, "x", disk.read("x.mcap").value()));
}

TEST_F(RecordingTest, StandsOnAShelfWithItsTimesAndSizes) {
    record();
    recorder->finish();
    Recordings shelf(loop, *station, disk, folder, {.limit = 1_MiB});
    shelf.start();
    loop.advance(2s);
    shelf.stop();
    loop.advance(1s);
    ASSERT_TRUE(disk.create("secret.txt"));
    const std::string list = shelf.json().value();
    EXPECT_THAT(list, HasSubstr(R"("recording":null)"));
    EXPECT_THAT(list, HasSubstr(fmt::format(R"("file":"20260101-000000-0001.mcap","size":{})",
                                            disk.bytes("20260101-000000-0001.mcap").size())));
    EXPECT_THAT(list,
                HasSubstr(R"({"name":"20260101-000000-0001","start":1767225600.000,"end":1767225602.0)"));
    EXPECT_THAT(list, testing::Not(HasSubstr("secret")));
    EXPECT_TRUE(shelf.file("20260101-000000-0001.alog"));
    for (const char* name : {"secret.txt", "../x.mcap", "", ".", "20260101-000000-0001"})
        EXPECT_EQ(shelf.file(name).error().code, Code::not_found) << name;
    EXPECT_THAT(shelf.play("20260101-000000-0003").error().message, HasSubstr("did you mean"));
}

}  // namespace
}  // namespace caribou::station
