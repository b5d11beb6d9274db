#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/log.hpp"
#include "behavior/tree_fault.hpp"
#include "loop/network.hpp"
#include "loop/strand.hpp"
#include "robot/held.hpp"
#include "robot/robot_views.hpp"
#include "robot/thread_main.hpp"

namespace caribou::robot {

/// The strands of a robot's threads: one per thread, or all on one loop.
struct RobotStrands {
    Strand& main;
    Strand& telemetry;
    Strand& transmission;
    Strand& receiver;
    Strand& ai;
    Strand& stops;  ///< stores and answers full stops
};

/// The parts passed to a robot. All must outlive it.
struct RobotParts {
    RobotStrands strands;
    Network& transmission_network;  ///< on its strand's loop
    Network& receiver_network;      ///< on its strand's loop
    motion::Body& body;             ///< must be thread-safe if there are several threads
    motion::MotionControl& motion;  ///< its events must go to MotionInbox
    RobotBuffers& buffers;
    AiParts ai;
    std::vector<behavior::TreeText> tree;
    std::string tree_unreadable{};  ///< why the tree could not be read; empty if it was
    ConfigStore& store;
    RebootLimit& reboots;
    motion::LatchStore& latch;
    Log& log;
    /// The network is private and needs no authentication: a simulated one.
    bool plain_afar = false;
    /// Trusted peers; the receiver's network must then be a secured one. Null: no authentication.
    LinkTrust* trust = nullptr;
    /// Checks the requirements of the program on the machine; may be empty.
    std::function<std::vector<motion::PartCheck>()> check_software{};
    /// The body is real and cannot be stopped from outside the process. Shown as a fault.
    bool unguarded = false;
    /// The number of this start is not stored: the disk is full or read-only. Shown as a fault.
    bool link_not_stored = false;
    /// Requests an image of the camera. Thread-safe; empty if there is no camera.
    std::function<void(views::CameraEncodings, TellView)> ask_camera{};
    /// Why RM2 and RM3 are refused until a self-check has passed, and what to do; empty if they are not.
    std::string not_self_checked{};
};

/// A complete on-board agent: all threads as state machines, connected to each other.
class Robot {
public:
    Robot(RobotParts parts, const RobotConfig& config);

    /// Must be called on main's strand, with propulsion running.
    void start();
    ThreadMain& main() { return main_; }
    ThreadAi& ai() { return ai_; }
    const ThreadTransmission& transmission() const { return transmission_; }
    /// Executes a command from within the program: the bus, a simulation. Thread-safe. For the thread of the
    /// answer, see Reply.
    void command(Request request, motion::StopCause stops_as = motion::StopCause::bus);
    /// Sets the robot's bus. Must be called before start().
    struct BusDoor {
        CommandHandler::AskLine ask_line;
        std::function<void(TellView)> ask_view;
    };
    void set_bus(BusDoor door);
    /// Requests a view for another RobotViews, over another transport. Thread-safe.
    void ask_view(const ViewRequest& request, TellView tell);

    /// Returns the sizes of all growing containers. Must only be called if all threads share a loop, or are
    /// not running.
    std::vector<Held> held() const;

    /// Stop the threads, in the reverse order of their start. Each must be called on its own strand, or while
    /// none is running.
    void stop_ai() { ai_.stop(); }
    void stop_receiver(const std::string& why) { receiver_.stop(why); }
    void stop_transmission() { transmission_.stop(); }
    void stop_telemetry() { telemetry_.stop(); }
    void stop_stops() { stops_.stop(); }

private:
    RobotBuffers& buffers_;
    motion::MotionControl& motion_;
    const motion::BodyPlan& plan_;
    Strand& main_strand_;
    StopDesk stops_;
    ThreadTelemetry telemetry_;
    ThreadTransmission transmission_;
    ThreadReceiver receiver_;
    ThreadAi ai_;
    ThreadMain main_;
    std::function<void(TellView)> ask_bus_;
    std::function<void(views::CameraEncodings, TellView)> ask_camera_;
    RobotViews views_;  ///< over the station's session
};

}  // namespace caribou::robot
