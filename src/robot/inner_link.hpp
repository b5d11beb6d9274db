#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/log.hpp"
#include "loop/network.hpp"
#include "loop/strand.hpp"
#include "robot/link_session.hpp"
#include "robot/robot_buffers.hpp"
#include "robot/robot_views.hpp"

namespace caribou::robot {

/// The link to a station in the robot's own process, over a network in memory. It carries what the link over
/// the air carries, but who comes by it is a console and never the robot's station: it takes nobody's place,
/// its silence stops nothing, and RM3 needs a real one as ever.
class InnerLink {
public:
    struct Hooks {
        std::function<void(Request)> submit;
        AskView ask_view;
    };
    struct Options {
        std::string robot;
        Address station;  ///< where it hears robots call
    };

    /// All outlive it; the network lives on the strand's loop.
    InnerLink(Strand& strand, Network& network, RobotBuffers& buffers, Log& log, Hooks hooks,
              Options options);
    InnerLink(const InnerLink&) = delete;
    InnerLink& operator=(const InnerLink&) = delete;

    /// Listens, and calls until the station comes. On the strand, or while it stands still.
    Result<void> start();
    /// All of the robot is well. Any thread may call.
    void beat();

private:
    void call();
    void accept(std::unique_ptr<Stream> stream);
    void welcome(LinkSession& session, const link::Auth& auth);
    void pass_on(LinkSession& session, const link::Command& command);
    void forget(const LinkSession& session);
    void on_telemetry();
    void on_reports();
    void send(const link::DatagramMessage& message);

    Strand& strand_;
    Network& network_;
    RobotBuffers& buffers_;
    Hooks hooks_;
    Options options_;
    negotiation::SessionTransport topics_;
    RobotViews views_;
    LinkSession::Handlers handlers_;
    std::unique_ptr<Listener> listener_;
    std::unique_ptr<Datagram> datagram_;
    std::unique_ptr<LinkSession> session_;
    std::uint32_t number_ = 0;
    std::uint64_t beats_ = 0;
    StrandEvent telemetry_buffer_event_;
    StrandInbox<std::string> reports_;
    std::unique_ptr<Timer> calls_;
    std::shared_ptr<InnerLink*> self_;  ///< by which answers see that it is gone
};

}  // namespace caribou::robot
