#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
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
#include "sim/hanging_loop.hpp"
#include "sim/tapped_network.hpp"

namespace caribou::sim {

/// Stores the preferred cube, unless the disk is full.
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

/// The machine of a robot, which outlives its program.
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
    link::MemoryKeyBook keys;  ///< of permitted peers; empty: no authentication
    robot::MemoryServerCookie cookie;
    std::uint64_t starts = 0;         ///< number of starts of its program
    std::optional<Address> broker{};  ///< of its bus; nullopt: none

    void fill_disk(bool full) { preferences.is_full = store.is_full = full; }
};

/// Settings of a robot's program.
struct RobotProgram {
    robot::RobotConfig config{};
    std::vector<behavior::TreeText> tree{};
    std::function<std::shared_ptr<robot::Navigator>(behavior::ClassRegistry&, robot::AiControl&)>
        add_classes{};
};

/// A robot's program: everything that `caribou robot` runs, on one loop. Destroying it simulates `kill -9`.
class RobotProcess final : private motion::MotionEvents {
public:
    /// All arguments must outlive this object. `on_step`, if set, is called after every step of propulsion.
    RobotProcess(RobotMachine& machine, const RobotProgram& program, CommandAudit& commands, Log& log,
                 std::function<void()> on_step = {});
    ~RobotProcess();
    RobotProcess(const RobotProcess&) = delete;
    RobotProcess& operator=(const RobotProcess&) = delete;

    /// Starts all parts of the program in the order of `caribou robot`.
    void start();
    robot::Robot& robot() { return robot_; }
    /// Returns null if there is no bus.
    const robot::RobotBus* bus() const { return bus_.get(); }
    const motion::MotionControl& propulsion() const { return propulsion_; }
    /// Returns the audit of all motion so far.
    const motion::MotionAudit& motion() const { return motion_; }
    /// Threads that can hang: main, telemetry, ai.
    static constexpr std::size_t hanging_threads = 3;
    HangingLoop& thread(std::size_t index) { return threads_.at(index); }
    /// Begins and ends a session that is not a connection.
    std::uint64_t open_session() { return buffers_.open_session(); }
    void close_session(std::uint64_t session) { buffers_.close_session(session); }
    /// Stops the motors, as the program does after RM0 and RM5.
    void stop() { propulsion_.stop(); }
    /// Returns the reason to end once RM0 or RM5 was reached; the caller must then stop and destroy the
    /// process.
    const std::optional<robot::RobotEnd>& end() const { return end_; }

private:
    void on_answer(const motion::MotionAnswer& answer) override { inbox_.on_answer(answer); }
    void on_report(const motion::MotionReport& report) override {
        motion_.observe(report);
        if (on_step_) on_step_();
        inbox_.on_report(report);
    }

    std::function<void()> on_step_;
    std::array<HangingLoop, hanging_threads> threads_;
    LocalStrand strand_;
    LocalStrand main_;
    LocalStrand telemetry_;
    LocalStrand ai_;
    std::optional<robot::LinkTrust> trust_;  ///< nullopt: no authentication
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
