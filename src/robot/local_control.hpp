#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "loop/network.hpp"
#include "loop/stall_watch.hpp"
#include "loop/strand.hpp"
#include "loop/weak_self.hpp"
#include "robot/link_session.hpp"
#include "robot/robot_buffers.hpp"
#include "robot/robot_request.hpp"

namespace caribou::robot {

/// Accepts full_stop, release_stop, power_off, status and map from programs on the robot itself, over a
/// socket that only the robot's user and root can open. All clients have the role drive. Works in every
/// ComMode. While main hangs, release_stop, status and map are refused at once. A client may state when it
/// gave a command, as a station does (docs/formats/link.md); otherwise its arrival counts.
class LocalControl {
public:
    using Submit = std::function<void(Request)>;
    static constexpr std::size_t max_sessions = 32;

    /// All arguments must outlive this object. `submit` is called on the strand; answers may come from any
    /// thread.
    LocalControl(Strand& strand, Network& network, RobotBuffers& buffers, std::string robot, Submit submit);

    /// `at` must be a Unix socket.
    Result<void> listen(const Address& at);

private:
    void accept(std::unique_ptr<Stream> stream);
    void make_room();
    void pass_on(LinkSession& session, const link::Command& command);
    /// Notices stalls of the loop.
    void turn();
    void forget(std::uint64_t number);
    void answer(std::uint64_t session, const link::Answer& answer);
    void refuse_waiting();

    Strand& strand_;
    Network& network_;
    RobotBuffers& buffers_;
    std::string robot_;
    Submit submit_;
    LinkSession::Handlers handlers_;
    std::unique_ptr<Listener> listener_;
    StallWatch stalls_;
    std::unique_ptr<Timer> turn_;
    std::map<std::uint64_t, std::unique_ptr<LinkSession>> sessions_;
    /// Commands that wait for main: the session and the id of the command.
    std::set<std::pair<std::uint64_t, std::uint64_t>> waiting_;
    WeakSelf<LocalControl> self_{*this};
};

}  // namespace caribou::robot
