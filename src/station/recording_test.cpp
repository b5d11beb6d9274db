#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include <fmt/format.h>

#include "base/json_node.hpp"
#include "base/json_text.hpp"
#include "loop/memory_disk.hpp"
#include "negotiation/negotiated_publisher.hpp"
#include "station/played_view.hpp"
#include "station/recording_player.hpp"
#include "station/recording_writer.hpp"
#include "station/recordings.hpp"
#include "station/station_recorder.hpp"
#include "station/station_rig.hpp"
#include "station/topic.hpp"
#include "views/encodings.hpp"

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
    RecordingWriter folder{disk, {.limit = 1_MiB}, log};
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
    EXPECT_EQ(counts["/rover/log"], 1);
    EXPECT_EQ(counts["/rover/pose"], 1) << "it stands still";
    EXPECT_EQ(counts["/rover/tf"], 1);
    EXPECT_EQ(counts["/rover/tf_map"], 1);
    EXPECT_EQ(counts["/rover/tf_odom"], 1);
    EXPECT_EQ(counts["/rover/scene"], 1);
    EXPECT_GE(counts["/rover/status"], 3) << "wait, shake, run1";

    const Bytes& alog = disk.bytes("20260101-000000-0001.alog");
    wire::AlogReader lines(text_of(alog));
    std::map<std::string, int> variables;
    while (const auto entry = lines.next()) variables[std::string(entry->variable)] += 1;
    EXPECT_EQ(lines.passed_over(), 0u);
    EXPECT_EQ(variables["ROVER_X"], counts["/rover/motion"]);
    EXPECT_EQ(variables["ROVER_COMMAND"], 1);
}

TEST_F(RecordingTest, CutsLongAnswers) {
    record();
    loop.advance(2s);
    robots[0]->answering = [](const link::Command& command) {
        link::Answer answer = link::Answer::done(command.id);
        answer.text = std::string(20'000, 'x');
        return std::vector{answer};
    };
    station->fleet().find("rover")->send(link::command_from("ping").value(), driver,
                                         [](const link::Answer&) {});
    loop.advance(1s);
    recorder->finish();
    std::size_t in_log = 0;
    wire::AlogReader lines(text_of(disk.bytes("20260101-000000-0001.alog")));
    while (const auto entry = lines.next())
        if (entry->variable == "ROVER_ANSWER") in_log = entry->text.size();
    EXPECT_EQ(in_log, recorded_answer_limit);
    std::size_t in_recording = 0;
    auto reader = wire::McapReader::open(disk.bytes("20260101-000000-0001.mcap")).value();
    while (const auto message = reader.next())
        if (message->channel->topic == "/rover/answer") in_recording = message->data.size();
    EXPECT_GE(in_recording, recorded_answer_limit);
    EXPECT_LT(in_recording, recorded_answer_limit + 200);
}

TEST_F(RecordingTest, RefersToNoFileThatIsNotWritten) {
    record();
    loop.advance(2s);
    robots[0]->send(link::ErrorReport{"the lidar is silent\nsince 2 s"});
    loop.run_ready();
    recorder->finish();
    const Bytes& alog = disk.bytes("20260101-000000-0001.alog");
    wire::AlogReader lines(text_of(alog));
    std::string report;
    while (const auto entry = lines.next()) {
        EXPECT_FALSE(entry->reference) << entry->variable;
        if (entry->variable == "ROVER_REPORT") report = entry->text;
    }
    EXPECT_EQ(report, "the lidar is silent\\nsince 2 s");
    EXPECT_THAT(files(".blog"), testing::IsEmpty());
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
        const JsonNode* const tuples = schema->find("$comment");
        for (const JsonNode& member : value->items) {
            if (tuples && tuples->text.contains(member.key + ": list of [")) continue;
            EXPECT_NE(properties->find(member.key), nullptr) << message->channel->topic << " " << member.key;
        }
    }
    EXPECT_THAT(
        names, testing::IsSupersetOf({"caribou.status", "caribou.motion", "caribou.command", "caribou.answer",
                                      "foxglove.PoseInFrame", "foxglove.FrameTransform", "foxglove.LaserScan",
                                      "foxglove.SceneUpdate", "foxglove.Log"}));
}

TEST_F(RecordingTest, LeavesEncodingAndCompressionToTheSink) {
    class Sink final : public RecordingSink {
    public:
        void write(RecordingBatch batch) override { batches.push_back(std::move(batch)); }
        std::uint64_t lost() const override { return 0; }
        std::uint64_t written() const override { return 0; }
        void forget(const std::string&) override {}
        std::vector<RecordingBatch> batches;
    } sink;
    station = std::make_unique<Station>(loop, *station_host, FleetSettings{}, log);
    ASSERT_TRUE(station->fleet().listen(Address::ip("0.0.0.0", 9600)));
    StationRecorder raw(loop, *station, sink, {.flush = 500ms});
    raw.start();
    add_robot();
    loop.advance(1600ms);
    raw.finish();
    ASSERT_EQ(sink.batches.size(), 4U);
    for (std::uint64_t i = 0; i < 4; ++i) {
        EXPECT_EQ(sink.batches[i].number, i);
        EXPECT_EQ(sink.batches[i].last, i == 3);
        EXPECT_THAT(std::string(text_of(sink.batches[i].messages.data)), HasSubstr(R"("pose":{"x":0)"));
    }
}

TEST_F(RecordingTest, EndsBeforeAMissingBatchAndGoesOnInTheNextRecording) {
    const auto batch = [](std::string name, std::uint64_t number, std::string_view text) {
        RecordingBatch made{.name = std::move(name), .number = number};
        if (number == 0) made.messages.channels.push_back({"/rover/motion", "json", 0});
        made.messages.add(0, number, bytes_of(text));
        return made;
    };
    folder.write(batch("a", 0, "1"));
    folder.write(batch("a", 1, "2"));
    folder.write(batch("a", 3, "4"));
    folder.write(batch("a", 4, "5"));
    EXPECT_EQ(folder.lost(), 2U);
    folder.write(batch("b", 0, "6"));
    EXPECT_EQ(folder.lost(), 2U);
    EXPECT_EQ(topics(disk.bytes("a.mcap"))["/rover/motion"], 2);
    EXPECT_EQ(topics(disk.bytes("b.mcap"))["/rover/motion"], 1);
}

TEST_F(RecordingTest, HasChunksOfALimitedSize) {
    record({.flush = 300s});
    loop.advance(200s);
    recorder->finish();
    const Bytes file = disk.bytes(files(".mcap").at(0));
    auto reader = wire::McapReader::open(file).value();
    std::set<const Bytes*> chunks;
    std::size_t largest = 0;
    std::vector<std::shared_ptr<const Bytes>> kept;
    while (const auto message = reader.next()) {
        if (!chunks.insert(message->chunk.get()).second) continue;
        kept.push_back(message->chunk);
        largest = std::max(largest, message->chunk->size());
    }
    EXPECT_GE(chunks.size(), 3U);
    EXPECT_LE(largest, RecordingWriter::longest_chunk + 64_KiB) << "and a message";
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
    ASSERT_FALSE(files(".mcap").empty());
    EXPECT_FALSE(files(".alog").front().ends_with("-0001.alog")) << "both files of the oldest have gone";
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

TEST_F(RecordingTest, PlaysTheWholeScanTheMapAndThePlanAsTheyWereShown) {
    const std::set<views::View> views{views::View::scan, views::View::map, views::View::plan};
    record({.flush = 500ms, .views = views});
    loop.advance(200ms);
    constexpr negotiation::TopicQos kept{.durability = negotiation::Durability::transient_local, .depth = 1};
    negotiation::NegotiatedPublisher scan(loop, robots[0]->topics, "/rover/scan");
    ASSERT_TRUE(scan.add_supported_type<views::DeltaScan>(1, kept));
    ASSERT_TRUE(scan.start());
    negotiation::NegotiatedPublisher map(loop, robots[0]->topics, "/rover/map");
    ASSERT_TRUE(map.add_supported_type<views::CompressedGrid>(1, kept));
    ASSERT_TRUE(map.start());
    TextWriter places(loop, robots[0]->topics, "/rover/places");
    TextWriter plan(loop, robots[0]->topics, "/rover/plan");
    loop.advance(1s);
    wire::Scan seen{.time = robots[0]->clock(), .first_angle = -2, .angle_step = 0.0349F, .reach = 8};
    for (int i = 0; i < 120; ++i)
        seen.ranges.push_back(i % 7 == 3 ? std::numeric_limits<float>::infinity()
                                         : 1 + 0.013F * static_cast<float>(i));
    seen.pose = Pose{0.5, -0.25, 2.7182};
    ASSERT_TRUE(scan.publish<views::DeltaScan>(
        views::message_of(wire::encode_scan(seen, wire::ScanEncoding::delta))));
    const wire::Grid grid{.time = robots[0]->clock(),
                          .x = -1,
                          .y = 0.5,
                          .cell = 0.05F,
                          .columns = 3,
                          .rows = 2,
                          .cells = {-1, -1, 0, 100, 0, 0}};
    ASSERT_TRUE(map.publish<views::CompressedGrid>(
        views::message_of(wire::encode_grid(grid, wire::GridEncoding::compressed))));
    places.say(R"({"dock":{"x":1,"y":2,"heading":0.5},"cubes":[{"id":"cube 1","name":"","x":1,"y":2}]})");
    plan.say(R"({"doing":"Exploring","goal":{"x":1,"y":2},"path":[[0,0],[1,2]]})");
    loop.advance(1s);
    recorder->finish();
    const std::string file = recorder->name() + ".mcap";
    station->want({{"rover", views}});  // the recorder wants them no longer
    loop.advance(500ms);
    robots.clear();
    FleetFeed::Cursor live;
    FleetFeed::watch(live, {"rover"}, views);
    const auto shown = read_json(station->feed().next(live, 0)).value();

    auto player = *RecordingPlayer::open(loop, "trial", disk.read(file).value());
    player->seek(player->end());
    FleetFeed::Cursor past;
    FleetFeed::watch(past, {"rover"}, views);
    const auto played = read_json(player->feed().next(past, 0)).value();
    for (const char* const section : {"scan", "map", "plan"}) {
        const JsonNode* const then = shown.find("robots")->find("rover")->find(section);
        const JsonNode* const now = played.find("robots")->find("rover")->find(section);
        ASSERT_TRUE(then && now && now->is(JsonNode::Kind::object)) << section;
        EXPECT_EQ(json_of(*now), json_of(*then)) << section;
    }
    const auto counts = topics(disk.bytes(file));
    EXPECT_EQ(counts.at("/rover/scene"), 3) << "without places, with them, and with a path";
}

TEST_F(RecordingTest, ShowsNoRouteAfterItWasCleared) {
    record();
    loop.advance(1s);
    Autopilot& pilot = station->pilot(*station->fleet().find("rover"));
    ASSERT_FALSE(pilot.load({.points = {{1, 2}}}));
    loop.advance(1s);
    ASSERT_FALSE(pilot.clear());
    loop.advance(1s);
    recorder->finish();
    auto player = *RecordingPlayer::open(loop, "trial", disk.read(recorder->name() + ".mcap").value());
    const auto shown = [&](double at) {
        player->seek(at);
        FleetFeed::Cursor past;
        return player->feed().next(past, 0);
    };
    EXPECT_THAT(shown(player->start() + 1.5), HasSubstr(R"("points":[[1.0)"));
    EXPECT_THAT(shown(player->end()), testing::Not(HasSubstr("points")));
}

TEST_F(RecordingTest, PlaysTheImagesOfACamera) {
    record({.flush = 500ms, .views = {views::View::camera}});
    EXPECT_TRUE(is_camera_recording(recorder->name()));
    loop.advance(200ms);
    PlayedEye eye(loop, robots[0]->topics);
    loop.advance(1s);
    EXPECT_THAT(eye.wanted(), testing::ElementsAre("full"));
    eye.show({.time = robots[0]->clock(), .problem = "The camera is starting."});
    loop.advance(200ms);
    eye.show({.time = robots[0]->clock(), .jpeg = small_jpeg()});
    loop.advance(1s);
    recorder->finish();
    loop.advance(1s);
    EXPECT_TRUE(eye.wanted().empty());
    const std::string file = recorder->name() + ".mcap";
    EXPECT_EQ(topics(disk.bytes(file)).at("/rover/camera"), 1) << "only images";
    auto player = *RecordingPlayer::open(loop, "trial", disk.read(file).value());
    player->seek(player->end());
    FleetFeed::Cursor past;
    FleetFeed::watch(past, {"rover"}, {views::View::camera});
    EXPECT_THAT(player->feed().next(past, 0), HasSubstr(R"("jpeg":"/9j/2gACEv/Z","encoding":"full")"));
}

TEST_F(RecordingTest, LeavesOutACameraThatIsOnlyWatched) {
    record();
    EXPECT_FALSE(is_camera_recording(recorder->name()));
    loop.advance(200ms);
    PlayedEye eye(loop, robots[0]->topics);
    station->want({{"rover", {views::View::camera}}});
    loop.advance(1s);
    ASSERT_FALSE(eye.wanted().empty());
    eye.show({.time = robots[0]->clock(), .jpeg = small_jpeg()});
    loop.advance(1s);
    recorder->finish();
    EXPECT_FALSE(topics(disk.bytes(recorder->name() + ".mcap")).contains("/rover/camera"));
}

TEST_F(RecordingTest, ShowsWhatAMarkIsAboutWhereItIs) {
    record();
    loop.advance(3s);
    robots[0]->telemetry.stopped = true;
    loop.advance(2s);
    robots[0]->telemetry.stopped = false;
    loop.advance(2s);
    recorder->finish();
    auto player = *RecordingPlayer::open(loop, "trial", disk.read(recorder->name() + ".mcap").value());
    std::vector<data::MarksMessage> told;
    player->find_marks([&](const data::MarksMessage& marks) { told.push_back(marks); });
    EXPECT_TRUE(told.empty()) << "it is read between other events";
    loop.run_ready();
    ASSERT_EQ(told.size(), 1U);
    EXPECT_EQ(told[0].name, "trial");
    int seen = 0;
    for (const data::Mark& mark : told[0].marks) {
        if (mark.kind != data::MarkKind::stop && mark.kind != data::MarkKind::release) continue;
        // As a client sends it.
        player->seek(std::round(mark.at * 1000) / 1000);
        FleetFeed::Cursor past;
        EXPECT_THAT(
            player->feed().next(past, 0),
            HasSubstr(mark.kind == data::MarkKind::stop ? R"("stopped":true)" : R"("stopped":false)"));
        ++seen;
    }
    EXPECT_EQ(seen, 2);
}

TEST_F(RecordingTest, PlaysARecordingOfVersion1) {
    wire::McapWriter writer({});
    const auto channel = [&](std::string_view kind) {
        return writer.add_channel(fmt::format("/rover/{}", kind), "json",
                                  writer.add_schema(fmt::format("caribou.{}", kind), "jsonschema", "{}"));
    };
    constexpr std::string_view scan = R"({"at":1.000,"ranges":[[0.500,1.250]],"ages":{}})";
    constexpr std::string_view map = R"({"at":1.000,"width":1,"height":1,"runs":[2,1]})";
    writer.add(channel("scan"), 1, 1, bytes_of(scan));
    writer.add(channel("map"), 2, 2, bytes_of(map));
    const auto file = std::make_shared<Bytes>(writer.finish());
    auto player = *RecordingPlayer::open(loop, "old", FileImage(*file, file));
    player->seek(player->end());
    FleetFeed::Cursor past;
    FleetFeed::watch(past, {"rover"}, {views::View::scan, views::View::map});
    EXPECT_THAT(player->feed().next(past, 0), testing::AllOf(HasSubstr(scan), HasSubstr(map)));
}

TEST_F(RecordingTest, RefusesToPlayWhatIsNoRecordingOrOfALaterVersion) {
    ASSERT_TRUE(disk.create("x.mcap").value()->append(Bytes(100)));
    EXPECT_FALSE(RecordingPlayer::open(loop, "x", disk.read("x.mcap").value()));
    const auto later = std::make_shared<Bytes>(wire::McapWriter({.profile = "caribou-3"}).finish());
    EXPECT_THAT(RecordingPlayer::open(loop, "x", FileImage(*later, later)).error().message,
                HasSubstr("the recording has version `caribou-3`, and this program reads up to caribou-2"));
}

TEST_F(RecordingTest, DeletesImagesOfCamerasWhenTheyAreTooOldAndNothingElse) {
    record();
    recorder->finish();
    robots[0]->sends_telemetry = false;
    ASSERT_TRUE(disk.remove("20260101-000000-0001.mcap"));
    for (const char* name :
         {"20251201-000000-0001-camera.mcap", "20251201-000000-0001-camera.alog", "20251201-000000-0002.mcap",
          "20251231-235000-0003-camera.mcap", "holiday-camera.mcap"})
        ASSERT_TRUE(disk.create(name));
    const RecorderSettings settings{.flush = 1s, .views = {views::View::camera}, .camera_span = 10min};
    RecordingWriter large(disk, {.limit = 100_MiB}, log);
    Recordings shelf(loop, *station, disk, large, {.recorder = settings, .camera_keep = 30min}, log);
    shelf.start();
    loop.advance(5s);
    EXPECT_THAT(files(".mcap"), ElementsAre("20251201-000000-0002.mcap", "20251231-235000-0003-camera.mcap",
                                            "20260101-000000-0001-camera.mcap", "holiday-camera.mcap"));
    loop.advance(22min);
    EXPECT_THAT(files(".mcap"), testing::Not(testing::Contains("20251231-235000-0003-camera.mcap")));
    EXPECT_EQ(files(".mcap").at(1), "20260101-000000-0001-camera.mcap");
    loop.advance(30min);
    EXPECT_EQ(files(".mcap").at(0), "20251201-000000-0002.mcap") << "without images";
    EXPECT_GT(files(".mcap").at(1), "20260101-002000") << "its first image is less than 30 minutes old";
    EXPECT_LT(files(".mcap").at(1), "20260101-003500");
}

TEST_F(RecordingTest, IsDeletedOnRequestUnlessItIsBeingMade) {
    record();
    recorder->finish();
    Recordings shelf(loop, *station, disk, folder, {.limit = 1_MiB}, log);
    shelf.start();
    loop.advance(2s);
    const std::string first = shelf.current();
    EXPECT_EQ(shelf.remove(first).error().code, Code::wrong_state);
    shelf.stop();
    loop.advance(1s);
    shelf.start();
    ASSERT_TRUE(shelf.remove(first));
    EXPECT_THAT(files(first + ".mcap"), testing::IsEmpty());
    EXPECT_THAT(files(first + ".alog"), testing::IsEmpty());
    EXPECT_EQ(shelf.remove(first).error().code, Code::not_found);
    EXPECT_EQ(shelf.remove("../x").error().code, Code::not_found);
    shelf.stop();
    loop.advance(1s);
    const std::string unknown = shelf.remove("elephant").error().message;
    const std::size_t named = unknown.find("2026");
    ASSERT_NE(named, std::string::npos) << unknown;
    const std::string name = unknown.substr(named, unknown.find('`', named) - named);
    EXPECT_EQ(unknown.find(name), unknown.rfind(name)) << "once, although it has two files: " << unknown;
}

TEST_F(RecordingTest, StandsOnAShelfWithItsTimesAndSizes) {
    record();
    recorder->finish();
    Recordings shelf(loop, *station, disk, folder, {.limit = 1_MiB}, log);
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
