#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "behavior/engine_classes.hpp"
#include "behavior/runner.hpp"
#include "behavior/tree_loader.hpp"
#include "cubes/cube_system.hpp"
#include "cubes/simulated_radio.hpp"
#include "loop/virtual_loop.hpp"
#include "map/wave.hpp"
#include "motion/motion_audit.hpp"
#include "motion/thread_propulsion.hpp"
#include "robot/cube_classes.hpp"
#include "robot/cube_gate.hpp"
#include "robot/robot_classes.hpp"
#include "robot/sim_body.hpp"

namespace caribou::robot {

struct LifeOptions {
    Duration tick = std::chrono::milliseconds(100);
    Duration lidar_period = std::chrono::milliseconds(200);
    world::RobotModel model{};
};

/// A robot in a world: body, propulsion and behaviors on virtual time, without modes, threads and links.
class LifeRig final : public motion::MotionEvents, public AiControl {
public:
    LifeRig(world::WorldPlan plan, const std::string& tree_text, LifeOptions options = {})
        : options_(std::move(options)), world_(world::World(std::move(plan)), loop_.clock()) {
        const auto robot = world_.now().add_robot(options_.model);
        if (!robot) throw std::runtime_error(robot.error().message);
        body_.emplace(world_, *robot, SimBodySettings{.lidar_period = options_.lidar_period});
        reachable_ = reachable(world_.now().plan(), body().radius);
        propulsion_.emplace(loop_, *body_, settings_, *this);
        behavior::register_engine_classes(classes_);
        register_cube_classes(classes_, cubes_);
        navigator_ = register_robot_classes(classes_, *this);
        auto loaded =
            behavior::load_tree(std::vector<behavior::TreeText>{{"tree.json", tree_text}}, classes_);
        if (!loaded) throw std::runtime_error(to_string(loaded.error()));
        runner_.emplace(std::move(loaded->tree), facts_);
        runner_->add_gate(gate_);
        std::ignore = runner_->set_base(loaded->base);
        propulsion_->start();
        propulsion_->permit({true, {motion::MotionSource::ai}});
    }

    void live(Duration time) {
        for (const Instant end = now() + time; now() < end;) {
            loop_.advance(options_.tick);
            think();
        }
    }

    /// The station requests a dock, or its request has ended.
    void want_dock(bool wanted) { facts_.set("dock_wanted", wanted); }
    /// The command `go` is given, or has ended.
    void send_to(std::optional<map::Place> place) {
        facts_.set("go_wanted", place.has_value());
        navigator_->set_errand(std::move(place));
    }
    /// Returns the explored share of the reachable area.
    double explored_share() const {
        const map::OccupancyGrid& grid = navigator_->grid();
        const auto seen = std::ranges::count_if(reachable_, [&](Vec2 at) {
            return grid.at(grid.frame().cell_at(at)) != map::Occupancy::unknown;
        });
        return static_cast<double>(seen) / static_cast<double>(reachable_.size());
    }

    /// Called in each tick in place of the tree, if it is set.
    std::function<void()> in_place_of_tree;

    Instant now() const { return loop_.clock().now(); }
    world::World& world() { return world_.now(); }
    Navigator& navigator() { return *navigator_; }
    const motion::MotionAudit& audit() const { return audit_; }
    std::string top() const { return runner_->stack().empty() ? "" : runner_->stack().back()->id(); }
    const motion::MotionReport& motion() const { return round_.motion; }

    const motion::BodyPlan& body() const override { return body_->plan(); }
    const TelemetryRound& telemetry() const override { return round_; }
    void drive(motion::MotionCommand command) override { wanted_ = command; }
    void drive_touching(motion::MotionCommand command) override { wanted_ = command; }
    void set_lights(motion::BodyLights lights) override { body_->set_lights(lights); }

private:
    void think() {
        ++round_.number;
        round_.at = now();
        round_.motion = propulsion_->report();
        round_.odometry = pose_after(round_.motion.odometry, now() - round_.motion.at);
        round_.samples.clear();
        times_.resize(body().sensors.size());
        for (std::size_t i = 0; i < times_.size(); ++i) {
            motion::SensorReading reading = body_->read(i);
            times_[i].add(reading, now(), round_.odometry);
            round_.samples.push_back({i, std::move(reading), times_[i].at(), times_[i].from()});
        }
        const world::Power power = world().power(0);
        facts_.set("battery", power.level * 100);
        facts_.set("on_charger", power.on_contacts);
        facts_.set(behavior::fact_charging, power.on_contacts && power.amperes > 0);
        wanted_ = {};
        if (in_place_of_tree)
            in_place_of_tree();
        else
            runner_->tick(now());
        // As ThreadAi does.
        if (motion::PlacedZones placed{navigator_->zones(), navigator_->odom_in_map()}; placed != zones_) {
            zones_ = std::move(placed);
            propulsion_->set_zones(zones_);
            audit_.set_zones(zones_, body().radius);
        }
        propulsion_->order({.source = motion::MotionSource::ai, .command = wanted_});
    }

    /// Returns all positions that the robot's center can reach, in the map's frame, whose origin is the
    /// start.
    static std::vector<Vec2> reachable(const world::WorldPlan& plan, double radius) {
        map::OccupancyGrid truth(map::GridFrame::around({0, 0}, plan.size, 0.1));
        const map::GridFrame& frame = truth.frame();
        for (std::size_t i = 0; i < frame.size(); ++i)
            if (world::is_free(plan, frame.middle(frame.cell_of(i)), radius))
                truth.set(frame.cell_of(i), map::Occupancy::free);
        const map::CostMap costs(truth, {.radius = 0.001, .comfort = 0.001});
        const Pose& start = plan.starts.at(0);
        map::Wave wave;
        wave.spread(costs, frame.cell_at(position(start)));
        std::vector<Vec2> places;
        const Vec2 back = towards(-start.heading);
        for (const std::uint32_t index : wave.reached()) {
            const Vec2 way = frame.middle(frame.cell_of(index)) - position(start);
            places.push_back({way.x * back.x - way.y * back.y, way.x * back.y + way.y * back.x});
        }
        return places;
    }

    void on_answer(const motion::MotionAnswer&) override {}
    void on_report(const motion::MotionReport& report) override { audit_.observe(report); }

    LifeOptions options_;
    motion::MotionSettings settings_;
    VirtualLoop loop_;
    RunningWorld world_;
    std::vector<Vec2> reachable_;
    std::optional<SimBody> body_;
    motion::MotionAudit audit_{settings_};
    std::optional<motion::ThreadPropulsion> propulsion_;
    NullLog log_;
    cubes::MemoryPreferenceStore store_;
    cubes::SimulatedRadio radio_{loop_};
    cubes::SimulatedCube& cube_ = radio_.add_cube();
    cubes::CubeSystem cubes_{loop_, radio_, store_, log_};
    CubeRequirementGate gate_{cubes_.coordinator};
    TelemetryRound round_;
    std::vector<ReadingTime> times_;  ///< by sensor
    motion::MotionCommand wanted_;
    motion::PlacedZones zones_{};
    behavior::Facts facts_;
    std::shared_ptr<Navigator> navigator_;
    behavior::ClassRegistry classes_;
    std::optional<behavior::BehaviorRunner> runner_;
};

/// How a robot is on its charger.
struct Docked {
    double off = 0;    ///< m, between their centers
    double slant = 0;  ///< rad, between their directions
    bool on_contacts = false;
};

/// Lets a robot with the default tree live for a while, sends it to its charger, and returns how it is there
/// once it does not center itself any more; nullopt if it is not on its charger within the limit.
inline std::optional<Docked> dock(LifeRig& rig, Duration before, Duration limit) {
    rig.live(before);
    rig.want_dock(true);
    for (const Instant end = rig.now() + limit; rig.now() < end;) {
        rig.live(std::chrono::milliseconds(100));
        if (!rig.navigator().is_docked(rig.now())) continue;
        rig.live(std::chrono::seconds(1));  // until it is at rest
        const Pose charger = rig.world().plan().charger->pose;
        const Pose at = rig.world().pose(0);
        return Docked{.off = distance(position(charger), position(at)),
                      .slant = std::abs(wrapped_angle(charger.heading - at.heading)),
                      .on_contacts = rig.world().power(0).on_contacts};
    }
    return std::nullopt;
}

}  // namespace caribou::robot
