#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/log.hpp"
#include "behavior/class_registry.hpp"
#include "behavior/difference.hpp"
#include "behavior/fact_changes.hpp"
#include "behavior/facts.hpp"
#include "behavior/rolling_recorder.hpp"
#include "behavior/runner.hpp"
#include "behavior/runner_picture.hpp"
#include "behavior/tree_fault.hpp"
#include "behavior/tree_loader.hpp"
#include "cubes/cube_console.hpp"
#include "cubes/cube_system.hpp"
#include "loop/strand.hpp"
#include "motion/motion.hpp"
#include "robot/ai_control.hpp"
#include "robot/cube_gate.hpp"
#include "robot/cube_localization.hpp"
#include "robot/cube_places.hpp"
#include "robot/fact_keeper.hpp"
#include "robot/goal_drive.hpp"
#include "robot/map_desk.hpp"
#include "robot/navigator.hpp"
#include "robot/own_classes.hpp"
#include "robot/recording_desk.hpp"
#include "robot/robot_buffers.hpp"
#include "robot/robot_facts.hpp"
#include "robot/tree_sensors.hpp"
#include "robot/view_picture.hpp"

namespace caribou::robot {

/// The parts of the AI, all on its own strand.
struct AiParts {
    cubes::Radio& radio;
    cubes::PreferenceStore& preferences;
    /// Registers classes in addition to those of the engine and of cubes, and returns the navigator that they
    /// share, if any. May be empty.
    std::function<std::shared_ptr<Navigator>(behavior::ClassRegistry&, AiControl&)> add_classes{};
    std::function<Result<std::string>(const std::string& path)> read_file{};
    /// Reads the files of a tree: those of these names beside the configuration, or, without names, the
    /// configured ones. May be empty.
    std::function<Result<std::vector<behavior::TreeText>>(const std::vector<std::string>& names)> read_tree{};
    CubePlaces* simulated_cubes = nullptr;   ///< which people tap by command; null if cubes are real
    FactStore* fact_store = nullptr;         ///< null: facts are not kept
    MapStore* map_store = nullptr;           ///< null: maps are not stored
    AddOwnClasses add_own{};                 ///< classes of the program; may be empty
    behavior::Observer* observer = nullptr;  ///< notified of every tick; may be null
    /// Writes a variable of the bus. Thread-safe; may be empty.
    std::function<void(std::string variable, behavior::Value value)> publish{};
};

/// Runs the behaviors over telemetry, in RM2. Each tick uses the latest round and sets at most one movement;
/// without a fresh round there is no tick, and the robot halts. Also owns the cubes, which are available in
/// every mode.
class ThreadAi final : public AiControl {
public:
    struct Options {
        std::vector<behavior::TreeText> tree;  ///< contents of the files
        std::string tree_unreadable{};         ///< why they could not be read; empty if they were
        double rate = 20;                      ///< Hz
        Duration telemetry_limit = std::chrono::milliseconds(500);
        std::uint64_t seed = 1;
        std::vector<std::string> bus_facts{};  ///< variables of the bus that are facts
        bool has_programs = false;             ///< behaviors in programs, which a reload does not restart
        MapAtStart map{};
    };

    /// All arguments must outlive this object.
    ThreadAi(Strand& strand, motion::Body& body, motion::MotionControl& motion, RobotBuffers& buffers,
             Log& log, AiParts parts, Options options);
    ~ThreadAi() override;

    /// Loads the tree. If its check fails, loads a built-in one that does not move, and reports the error to
    /// main.
    void start();
    /// Halts the robot and destroys the behaviors.
    void stop();
    /// Sets whether it drives: in RM2. Thread-safe.
    void run(bool runs);
    /// Sets or clears a fact. Thread-safe.
    void set_fact(std::string name, std::optional<behavior::Value> value);
    /// Sets the fact `bus:NAME`, and `bus_age:NAME` in seconds, when a variable of the bus was written.
    /// Thread-safe.
    void hear_bus(std::string name, behavior::Value value);
    /// Executes a command line for the cubes, the behaviors or the map; the answer is passed on the AI's
    /// thread. Thread-safe.
    using Told = std::function<void(Result<std::string>)>;
    void ask_cubes(std::string line, Told told);
    void ask_behaviors(std::string line, Told told);
    void ask_map(std::string line, Told told);
    /// Sets the place of the command `go`, by name, for the behaviors; or none. Thread-safe.
    void send_to(std::string place, Told told);
    void call_back();
    /// Requests the behaviors, the cubes, the map, its places or the plan; answered on the AI's thread.
    /// Thread-safe.
    void ask_view(views::View view, TellView tell);

    /// Drives to a goal in place of the tree, in RM2; another goal replaces it, and the tree goes on at its
    /// end. `told` is called on the AI's thread. Thread-safe.
    void go_to(const GoalPose& goal, GoalTold told);
    /// Corrects the estimate of the robot's pose in its map; `told` receives the error. Thread-safe.
    void set_pose(const Pose& pose, std::function<void(Result<void>)> told);

    const motion::BodyPlan& body() const override { return body_.plan(); }
    const TelemetryRound& telemetry() const override { return *round_; }
    void drive(motion::MotionCommand command) override { wanted_ = {command, false}; }
    void drive_touching(motion::MotionCommand command) override { wanted_ = {command, true}; }
    void set_lights(motion::BodyLights lights) override { body_.set_lights(lights); }
    void expect_cube(const std::string& name) override { cubes_.comms.expect(name); }

    std::uint64_t ticks() const { return ticks_; }
    /// Returns the errors of the tree that start() replaced; empty if it was good.
    const std::string& tree_error() const { return tree_error_; }
    const behavior::Facts& facts() const { return facts_; }
    /// Fail with not_found and the near match if the tree has no behavior of that id, or neither the robot
    /// nor the tree has that fact.
    Result<void> knows_behavior(std::string_view id) const;
    Result<void> knows_fact(std::string_view name) const;
    const cubes::CubeSystem& cubes() const { return cubes_; }

private:
    void on_due();
    void tick(Instant now);
    void publish();
    struct Wanted {
        motion::MotionCommand command{};
        bool touch = false;
    };
    void order(const Wanted& wanted);
    void learn(const TelemetryRound& round);
    /// Processes the latest round.
    void report_cycle(const behavior::Difference& difference, Instant now);
    void look(Instant now);
    void end_behaviors();
    void take(const cubes::CubeEvent& event);
    Result<void> load(std::span<const behavior::TreeText> files);
    /// Replaces the tree by one from files, whose names are separated by blanks; none for the configured
    /// ones. Ends the running behaviors if the new tree is good, and changes nothing otherwise. In
    /// thread_ai_reload.cpp.
    Result<std::string> reload(std::string_view names);
    /// Makes the tree of the runner the present one. In thread_ai_reload.cpp.
    void adopt(behavior::LoadedTree loaded);
    void look_around(Instant now);
    void go_home(Instant now);
    /// Passes the zones of the map on to propulsion if they, or the robot's place on it, have changed.
    void place_zones();
    void look_for_way_out(Instant now);
    // Goals; in thread_ai_goal.cpp.
    void begin_goal(const GoalPose& goal, std::uint64_t stops, GoalTold told);
    void step_goal(Instant now);
    void end_goal(const GoalNews& news);
    ViewPicture show(views::View view) const;
    // These are in thread_ai_plan.cpp.
    std::string plan(Instant now) const;
    std::string doing() const;
    /// Returns what the behaviors do, and why. Requires that one is active.
    std::string sentence(Instant now) const;
    Result<std::string> answer(std::string_view line);
    Result<std::string> answer_about_cubes(std::string_view line);
    Result<std::string> answer_about_map(std::string_view line);
    /// Returns null if neither the tree nor a class declares it.
    const behavior::FactDeclaration* declaration_of(std::string_view fact) const;
    /// Returns the declaration of a fact that trees may set.
    Result<const behavior::FactDeclaration*> settable(std::string_view fact) const;
    Result<void> change(std::string_view fact, const behavior::Value& value);
    /// Executes `FACT=VALUE`.
    Result<std::string> change(std::string_view setting);
    void start_by_hand(std::string_view id, Told told);
    void end_by_hand(Result<std::string> outcome);
    std::string why_not(std::string_view id) const;
    Result<std::string> force(std::string_view words) const;
    std::string why_nothing_runs() const;
    std::string stack_text() const;
    std::string sleeper_text() const;
    Result<std::string> sleeper_text(std::string_view id) const;

    Strand& strand_;
    motion::Body& body_;
    motion::MotionControl& motion_;
    RobotBuffers& buffers_;
    Log& log_;
    AiParts parts_;
    Options options_;
    Duration period_;
    behavior::Facts facts_;
    behavior::FactChanges fact_changes_;  ///< by actions in the last tick
    CubeFacts cube_facts_;
    std::vector<NumberedCubeEvent> cube_events_;  ///< the latest
    CubeLocalization cube_localization_;
    cubes::CubeSystem cubes_;
    cubes::CubeConsole console_;
    CubeRequirementGate gate_;
    FactKeeper fact_keeper_;
    MapDesk maps_;
    TreeSensors sensors_;
    behavior::ClassRegistry classes_;
    behavior::TreePlan plan_;
    bool ignores_dock_ = false;                  ///< the plan has no reaction to the command `dock`
    bool ignores_go_ = false;                    ///< nor to `go`
    std::vector<behavior::TreeFault> warnings_;  ///< about the tree
    behavior::RecentChanges recent_;
    behavior::RollingRecorder recorder_;  ///< of every tick
    RecordingDesk recording_desk_;
    std::shared_ptr<Navigator> navigator_;              ///< null: none
    std::unique_ptr<behavior::BehaviorRunner> runner_;  ///< null before start()
    std::string tree_error_;
    std::string base_;
    bool in_cycle_ = false;                    ///< the stack is reset because of a cycle
    std::optional<Instant> cycle_reported_{};  ///< in the log
    std::string base_end_;                     ///< how the base has ended by itself; empty if it has not
    std::map<std::string, Instant> bus_ages_;  ///< by the fact's name
    /// A behavior that was started by a command, in place of the base.
    struct ByHand {
        std::string id;
        Instant until;  ///< time until which it may decline
        Told told;      ///< empty once answered
    };
    std::optional<ByHand> by_hand_;
    struct Goal {
        GoalDrive drive;
        GoalTold told;
        std::uint64_t stops;  ///< full stops before it
    };
    std::optional<Goal> goal_;
    std::shared_ptr<const TelemetryRound> round_;
    Wanted wanted_;                     ///< in this tick
    motion::PlacedZones told_zones_{};  ///< to propulsion
    std::string closed_in_;             ///< name of the keep-out zone that it cannot leave by itself
    Instant way_out_at_ = Instant::min();
    bool runs_ = false;
    bool halted_ = true;
    std::uint64_t ticks_ = 0;
    Instant next_{};
    std::unique_ptr<Timer> timer_;
};

}  // namespace caribou::robot
