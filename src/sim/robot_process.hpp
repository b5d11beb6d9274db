#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "behavior/tree_fault.hpp"
#include "cubes/preference_store.hpp"
#include "cubes/simulated_radio.hpp"
#include "link/keyed_network.hpp"
#include "motion/motion_audit.hpp"
#include "motion/thread_propulsion.hpp"
#include "robot/config_store.hpp"
#include "robot/motion_inbox.hpp"
#include "robot/robot.hpp"
#include "robot/robot_bus.hpp"
#include "sim/command_audit.hpp"
#include "sim/tapped_network.hpp"

namespace caribou::sim {

/// The preferred cube, unless the disk is full.
class MachinePreferences final : public cubes::PreferenceStore {
public:
    std::optional<cubes::CubeAddress> load() override { return saved_; }
    Result<void> save(std::optional<cubes::CubeAddress> preferred) override {
        if (is_full) return fail(Code::io, "no space left on the disk");
        saved_ = preferred;
        return {};
    }

    bool is_full = false;

private:
    std::optional<cubes::CubeAddress> saved_;
};

/// What outlives a robot's program: the machine that it runs on.
struct RobotMachine {
    RobotMachine(Loop& its_loop, Network& its_network, motion::Body& its_body,
                 const cubes::SimulatedRadioOptions& radio_options)
        : loop(its_loop), network(its_network), body(its_body), radio(its_loop, radio_options) {}

    Loop& loop;
    Network& network;
    motion::Body& body;
    cubes::SimulatedRadio radio;
    MachinePreferences preferences;
    robot::MemoryConfigStore store;
    robot::RebootLimit reboots{{}, ""};
    motion::MemoryLatchStore latch;
    link::MemoryKeyBook keys;  ///< of those who may come; empty: the link is plain
    robot::MemoryServerCookie cookie;
    std::uint64_t starts = 0;         ///< of its program
    std::optional<Address> broker{};  ///< of the bus that the robot is on

    void fill_disk(bool full) { preferences.is_full = store.is_full = full; }
};

/// What a robot's program is told to do.
struct RobotProgram {
    robot::RobotConfig config{};
    std::vector<behavior::TreeText> tree{};
    std::function<std::shared_ptr<robot::Navigator>(behavior::ClassRegistry&, robot::AiControl&)>
        add_classes{};
};

/// A robot's program: all that `caribou robot` runs, on one loop. Destroying it is what `kill -9` does.
class RobotProcess final : private motion::MotionEvents {
public:
    /// All outlive it.
    RobotProcess(RobotMachine& machine, const RobotProgram& program, CommandAudit& commands, Log& log);
    ~RobotProcess();
    RobotProcess(const RobotProcess&) = delete;
    RobotProcess& operator=(const RobotProcess&) = delete;

    void start();
    robot::Robot& robot() { return robot_; }
    /// Null: there is no bus.
    const robot::RobotBus* bus() const { return bus_.get(); }
    const motion::MotionControl& propulsion() const { return propulsion_; }
    /// Of everything that it has driven.
    const motion::MotionAudit& motion() const { return motion_; }
    /// Ends it in good order, as the program does after RM0 and RM5: the motors are off.
    void stop() { propulsion_.stop(); }
    /// RM0 or RM5 was reached: there is nothing left to do but to stop and destroy it.
    const std::optional<robot::RobotEnd>& end() const { return end_; }

private:
    void on_answer(const motion::MotionAnswer& answer) override { inbox_.on_answer(answer); }
    void on_report(const motion::MotionReport& report) override {
        motion_.observe(report);
        inbox_.on_report(report);
    }

    LocalStrand strand_;
    std::optional<robot::LinkTrust> trust_;  ///< none: the link is plain
    link::KeyedNetwork streams_;
    TappedNetwork network_;
    robot::RobotBuffers buffers_;
    robot::MotionInbox inbox_;
    motion::MotionAudit motion_;
    motion::ThreadPropulsion propulsion_;
    robot::Robot robot_;
    std::unique_ptr<robot::RobotBus> bus_;
    std::optional<robot::RobotEnd> end_;
};

}  // namespace caribou::sim
