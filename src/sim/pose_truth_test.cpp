// Compares the poses that a station shows with the true ones of the simulated world.

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <iostream>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sanitized.hpp>

#include "base/geometry.hpp"
#include "base/json_node.hpp"
#include "base/random.hpp"
#include "loop/memory_network.hpp"
#include "loop/virtual_loop.hpp"
#include "robot/default_tree.hpp"
#include "robot/robot_classes.hpp"
#include "robot/sim_body.hpp"
#include "sim/robot_process.hpp"
#include "station/station.hpp"

namespace caribou::sim {
namespace {

using namespace std::chrono_literals;

constexpr double degree = 3.14159265358979 / 180;

/// Statistics of the pose error over a run.
class Errors {
public:
    void add(const Pose& shown, const Pose& truth) {
        metres_.push_back(distance(position(shown), position(truth)));
        degrees_.push_back(std::abs(wrapped_angle(shown.heading - truth.heading)) / degree);
    }
    std::size_t count() const { return metres_.size(); }
    double metres() { return share(metres_, 0.95); }
    double degrees() { return share(degrees_, 0.95); }
    std::string text() {
        return fmt::format(
            "p50 {:.3f} m {:.1f} deg, p95 {:.3f} m {:.1f} deg, worst {:.3f} m {:.1f} deg, {} poses",
            share(metres_, 0.5), share(degrees_, 0.5), metres(), degrees(), share(metres_, 1),
            share(degrees_, 1), count());
    }

private:
    static double share(std::vector<double>& of, double part) {
        if (of.empty()) return 1e9;
        const auto at = of.begin() + static_cast<std::ptrdiff_t>(part * static_cast<double>(of.size() - 1));
        std::ranges::nth_element(of, at);
        return *at;
    }
    std::vector<double> metres_;
    std::vector<double> degrees_;
};

/// A complete robot program with its behaviors in a room, and a station that observes or drives it.
class WatchedRoom {
public:
    WatchedRoom(std::uint64_t seed, int run_mode) : random_(seed), world_(room(seed), loop_.clock()) {
        id_ = world_.now().add_robot(tireless()).value();
        start_ = world_.now().pose(id_);
        body_.emplace(world_, id_);
        machine_.emplace(loop_, network_, *body_, cubes::SimulatedRadioOptions{.seed = seed});
        RobotProgram program;
        program.config.name = "rover";
        program.config.server_ip = "127.0.0.1";
        program.config.send_port =
            static_cast<int>(station_.fleet().listen(Address::ip("127.0.0.1", 0)).value().port);
        program.config.receive_port = 0;
        program.config.default_run_mode = run_mode;
        program.config.ai_seed = static_cast<int>(seed);
        program.tree = {{"tree.json", std::string(robot::default_tree())}};
        program.add_classes = [](behavior::ClassRegistry& classes, robot::AiControl& ai) {
            return robot::register_robot_classes(classes, ai);
        };
        process_.emplace(*machine_, program, commands_, log_);
        process_->start();
    }

    /// Calls `each` before every step of 10 ms.
    template <class EachStep>
    void live(Duration time, EachStep each) {
        for (const Instant end = loop_.clock().now() + time; loop_.clock().now() < end;) {
            each();
            loop_.advance(10ms);
            compare();
        }
    }
    void live(Duration time) {
        live(time, [] {});
    }
    void watch_scans() { station_.want({{"rover", {views::View::scan}}}); }

    /// Sends one movement after the other, with pauses, like a person at the keyboard of the page.
    void drive_by_hand(Duration time) {
        Instant change{};
        Instant renew{};
        std::string movement;
        live(time, [&] {
            const Instant now = loop_.clock().now();
            if (now >= change) {
                change = now + std::chrono::milliseconds(300 + random_.below(3000));
                movement = any_movement();
            }
            if (now < renew || movement.empty()) return;
            renew = now + 150ms;
            if (auto* const session = station_.fleet().find("rover");
                session && station::is_running(session->mode()))
                session->send(link::command_from("move ttl=400ms movement=" + movement).value(),
                              {"ann", link::Role::admin}, [](const auto&) {});
        });
    }

    void watch_plan() { station_.want({{"rover", {views::View::plan}}}); }
    JsonNode plan() {
        const std::string json = station_.section("rover", station::Section::plan);
        return json.empty() ? JsonNode{} : read_json(json).value();
    }

    Errors pose;
    Errors scan;
    double driven() { return world_.now().record(id_).distance; }

private:
    static world::World room(std::uint64_t seed) {
        return world::World(world::random_room(seed, 5 + static_cast<double>(seed % 5)));
    }
    /// Returns a model that drives for an hour without charging.
    static world::RobotModel tireless() {
        world::RobotModel model;
        model.battery.capacity = 1e6;
        return model;
    }
    std::string any_movement() {
        static const std::vector<std::string> movements{"MOVE_FW_1",    "MOVE_FW_2",
                                                        "MOVE_FW_3",    "MOVE_BW_1",
                                                        "SWIV_LEFT_1",  "SWIV_RIGHT_1",
                                                        "SWIV_LEFT_2",  "SWIV_RIGHT_2",
                                                        "SWIV_LEFT_3",  "SWIV_RIGHT_3",
                                                        "TURN_FW_2_1",  "TURN_FW_1_2",
                                                        "TURN_BW_-1_0", ""};
        return movements[random_.below(movements.size())];
    }

    void compare() {
        truths_.push_back(
            {loop_.clock().unix_seconds(), composed(frame_between({}, start_), world_.now().pose(id_))});
        if (truths_.size() > 300) truths_.pop_front();
        auto* const session = station_.fleet().find("rover");
        const link::Telemetry* const telemetry = session ? session->telemetry() : nullptr;
        if (!telemetry) return;
        if (std::exchange(last_, telemetry->number) != telemetry->number)
            pose.add(telemetry->pose, truth_at(telemetry->stamp));
        const auto* const seen = station_.views_of(*session).scan();
        if (seen && std::exchange(last_scan_, seen->content.time) != seen->content.time)
            scan.add(seen->content.pose.value_or(Pose{}), truth_at(seen->content.time));
    }
    /// Returns the robot's true pose in the frame of its map, which starts at the start pose.
    const Pose& truth_at(double unix_seconds) const {
        const auto nearest = std::ranges::min_element(
            truths_, {}, [&](const auto& each) { return std::abs(each.first - unix_seconds); });
        return nearest->second;
    }

    Random random_;
    VirtualLoop loop_;
    MemoryNetwork network_{loop_};
    NullLog log_;
    robot::RunningWorld world_;
    world::RobotId id_{};
    Pose start_{};
    std::optional<robot::SimBody> body_;
    std::optional<RobotMachine> machine_;
    CommandAudit commands_{loop_.clock()};
    station::Station station_{loop_, network_, station::FleetSettings{}, log_};
    std::optional<RobotProcess> process_;
    std::deque<std::pair<double, Pose>> truths_;  ///< last 3 s
    std::uint64_t last_ = 0;
    double last_scan_ = 0;
};

constexpr int room_count = 20;

int setting(const char* name, int otherwise) {
    const char* const text = std::getenv(name);
    return text ? std::atoi(text) : otherwise;
}

/// A share of 20 rooms. By default it is one room, for ten minutes; which one depends on CARIBOU_ROTATION,
/// which ./run test sets to the day. CARIBOU_FULL=1 runs all of them, for an hour (with sanitizers for ten
/// minutes). CARIBOU_POSE_MINUTES sets another time.
class PoseTruth : public testing::TestWithParam<int> {
protected:
    static constexpr int shares = 2;
    std::vector<std::uint64_t> seeds() const {
        std::vector<std::uint64_t> all;
        const int turn = setting("CARIBOU_ROTATION", 0) % (room_count / shares);
        for (int room = GetParam(); room < room_count; room += shares)
            if (full_ || room / shares == turn) all.push_back(static_cast<std::uint64_t>(200 + room));
        return all;
    }
    Duration time() const { return time_; }

private:
    bool full_ = std::getenv("CARIBOU_FULL") != nullptr;
    Duration time_ =
        std::chrono::minutes(setting("CARIBOU_POSE_MINUTES", full_ && !tests::sanitized ? 60 : 10));
};

void expect_true(const char* what, std::uint64_t room, Errors& errors, Duration time) {
    std::cout << fmt::format("room {} {}: {}\n", room, what, errors.text());
    EXPECT_GE(static_cast<double>(errors.count()), to_seconds(time) * 5) << "it has to be shown";
    // The promise is for an hour. While the map is small, fewer walls correct the pose.
    EXPECT_LT(errors.metres(), time >= 1h ? 0.15 : 0.2);
    EXPECT_LT(errors.degrees(), 6);
}

TEST_P(PoseTruth, HoldsWhileTheRobotExplores) {
    for (const std::uint64_t seed : seeds()) {
        WatchedRoom room(seed, 2);
        room.live(time());
        EXPECT_GT(room.driven(), to_seconds(time()) / 20) << "an explorer moves";
        expect_true("exploring", seed, room.pose, time());
    }
}

TEST_P(PoseTruth, HoldsWhileAPersonDrives) {
    for (const std::uint64_t seed : seeds()) {
        WatchedRoom room(seed, 3);
        room.drive_by_hand(time());
        EXPECT_GT(room.driven(), to_seconds(time()) / 40);
        expect_true("by hand", seed, room.pose, time());
    }
}

INSTANTIATE_TEST_SUITE_P(Rooms, PoseTruth, testing::Range(0, 2));

TEST(PoseTruthOfScans, HoldsForEachScanAtTheTimeThatItWasTaken) {
    WatchedRoom room(203, 3);
    room.watch_scans();
    room.drive_by_hand(3min);
    expect_true("scans", 203, room.scan, 3min);
}

TEST(PlanView, ShowsWhatAnAutonomousRobotDoesItsGoalAndItsPath) {
    WatchedRoom room(204, 2);
    room.watch_plan();
    std::size_t exploring = 0;
    for (int i = 0; i < 40; ++i) {
        room.live(1s);
        const JsonNode plan = room.plan();
        if (!plan.find("doing") || !plan.find("doing")->text.starts_with("Exploring: ")) continue;
        const auto& path = plan.find("path")->items;
        if (plan.find("goal")->is(JsonNode::Kind::null) || path.empty()) continue;
        ++exploring;
        EXPECT_NEAR(path.back().items.at(0).number, plan.find("goal")->find("x")->number, 0.2);
        EXPECT_NEAR(path.back().items.at(1).number, plan.find("goal")->find("y")->number, 0.2);
    }
    EXPECT_GE(exploring, 10U);
}

TEST(PlanView, StatesInASentenceWhatEveryBehaviorDoes) {
    WatchedRoom room(204, 2);
    room.watch_plan();
    bool pauses = false;
    for (int i = 0; i < 2000 && !pauses; ++i) {
        room.live(100ms);
        const JsonNode plan = room.plan();
        if (!plan.find("doing")) continue;
        const std::string& doing = plan.find("doing")->text;
        EXPECT_TRUE(doing.empty() || doing.contains(' ')) << "the name of a behavior only: " << doing;
        pauses = doing == "Pausing before it goes on.";
    }
    EXPECT_TRUE(pauses) << "it strolls and pauses after it has explored everything";
}

TEST(PlanView, HasNeitherGoalNorSentenceWhileAPersonDrives) {
    WatchedRoom room(204, 3);
    room.watch_plan();
    room.live(3s);
    EXPECT_EQ(room.plan().find("doing")->text, "");
    EXPECT_TRUE(room.plan().find("goal")->is(JsonNode::Kind::null));
}

}  // namespace
}  // namespace caribou::sim
