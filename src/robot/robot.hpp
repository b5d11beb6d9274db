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

/// Where the threads of a robot live: each on its own, or all on one loop.
struct RobotStrands {
    Strand& main;
    Strand& telemetry;
    Strand& transmission;
    Strand& receiver;
    Strand& ai;
};

/// What a robot is given. All of it outlives the robot.
struct RobotParts {
    RobotStrands strands;
    Network& transmission_network;  ///< on its strand's loop
    Network& receiver_network;      ///< on its strand's loop
    motion::Body& body;             ///< for several threads, if there are several
    motion::MotionControl& motion;  ///< whose events are MotionInbox's
    RobotBuffers& buffers;
    AiParts ai;
    std::vector<behavior::TreeText> tree;
    std::string tree_unreadable{};  ///< why there is no tree; empty: there is one
    ConfigStore& store;
    RebootLimit& reboots;
    motion::LatchStore& latch;
    Log& log;
    /// The network is nobody else's, and needs no secrets: a simulated one.
    bool plain_afar = false;
    /// Whom it believes; the receiver's network is a secured one then. Null: the link is plain.
    LinkTrust* trust = nullptr;
    /// What the program needs of the machine. Empty: nothing.
    std::function<std::vector<motion::PartCheck>()> check_software{};
};

/// An on-board agent, whole: all threads as state machines, wired to each other.
class Robot {
public:
    Robot(RobotParts parts, const RobotConfig& config);

    /// On main's strand, with propulsion running.
    void start() { main_.start(); }
    ThreadMain& main() { return main_; }
    ThreadAi& ai() { return ai_; }
    /// A command from within the program: the bus, a simulation. Any thread may call; answered on main's.
    void command(Request request, motion::StopCause stops_as = motion::StopCause::bus);
    /// The bus that it is on. Before start().
    struct BusDoor {
        CommandHandler::AskLine ask_line;
        std::function<void(TellView)> ask_view;
    };
    void set_bus(BusDoor door);
    /// For another RobotViews, over another transport. Any thread may call.
    void ask_view(views::View view, TellView tell);

    /// Everything that grows with what happens. Where all threads share a loop, or stand still.
    std::vector<Held> held() const;

    /// Ends the threads in the reverse order of their start. Each on its own strand, or while all stand
    /// still.
    void stop_ai() { ai_.stop(); }
    void stop_receiver(const std::string& why) { receiver_.stop(why); }
    void stop_transmission() { transmission_.stop(); }
    void stop_telemetry() { telemetry_.stop(); }

private:
    RobotBuffers& buffers_;
    const motion::BodyPlan& plan_;
    Strand& main_strand_;
    ThreadTelemetry telemetry_;
    ThreadTransmission transmission_;
    ThreadReceiver receiver_;
    ThreadAi ai_;
    ThreadMain main_;
    std::function<void(TellView)> ask_bus_;
    RobotViews views_;  ///< over the station's session
};

}  // namespace caribou::robot
