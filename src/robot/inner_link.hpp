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

/// The link to a station in the robot's own process, over an in-memory network. It is equivalent to the
/// network link, except that its peer is a console and never the robot's station: it does not replace a
/// station, its silence stops nothing, and RM3 requires a real station.
class InnerLink {
public:
    /// Callbacks into the robot.
    struct Hooks {
        std::function<void(Request)> submit;
        AskView ask_view;
    };
    struct Options {
        std::string robot;
        Address station;  ///< where the station receives calls
    };

    /// All arguments must outlive this object; the network must be on the strand's loop.
    InnerLink(Strand& strand, Network& network, RobotBuffers& buffers, Log& log, Hooks hooks,
              Options options);
    InnerLink(const InnerLink&) = delete;
    InnerLink& operator=(const InnerLink&) = delete;

    /// Listens, and calls until the station connects. Must be called on the strand, or while it is not
    /// running.
    Result<void> start();
    /// Must be called regularly while all threads are alive. Thread-safe.
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
    StrandEvent telemetry_buffer_event_;
    StrandInbox<std::string> reports_;
    std::unique_ptr<Timer> calls_;
    std::shared_ptr<InnerLink*> self_;  ///< lets answers detect destruction
};

}  // namespace caribou::robot
