#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>

#include "link/datagram_seal.hpp"
#include "link/message.hpp"
#include "loop/strand.hpp"
#include "loop/strand_inbox.hpp"
#include "motion/motion.hpp"
#include "robot/link_trust.hpp"
#include "robot/robot_buffers.hpp"

namespace caribou::robot {

/// The full stops that the station sends as sealed datagrams, repeated until answered, because a connection
/// may be slow or cut (docs/formats/link.md). Each stop is passed to propulsion and to main once, whether it
/// arrives as a datagram or on the connection; repetitions are only answered. So a datagram that was delayed
/// does not stop the robot again after the stop was released.
class DatagramStops {
public:
    using SendAnswer = std::function<void(const Address& to, const link::Answer& answer)>;

    /// `trust` may be null: no datagram is accepted. `send` is called on the strand. All arguments must
    /// outlive this object.
    DatagramStops(Strand& strand, motion::MotionControl& motion, RobotBuffers& buffers, LinkTrust* trust,
                  SendAnswer send);

    /// Accepts the stops of this session until the one after the next, also after its connection was lost:
    /// the station seals with the key of the previous session until it has received the welcome.
    void set_session(const SealFor& seal);
    /// Handles a received datagram. Anything but an authentic stop is ignored.
    void take(const Address& from, ByteView datagram);
    /// Returns the number of authentic stops received, with repetitions.
    std::uint64_t received() const { return received_; }
    /// Returns the number of stops that were passed to propulsion.
    std::uint64_t executed() const { return executed_; }

private:
    struct Stop {
        Address from{};
        std::optional<link::Answer> answer{};  ///< nullopt: not answered yet
    };
    struct Session {
        SealFor seal;
        link::SessionOpener opener;
    };
    /// Limit of stops whose repetitions are answered here; main answers repetitions of earlier ones.
    static constexpr std::size_t max_stops = 16;

    void stop(const link::StopNow& stop, const Peer& station, const Address& from);
    bool submit(link::CommandId id, const Peer& station, bool is_new);
    void send_answers();

    const Clock& clock_;
    motion::MotionControl& motion_;
    RobotBuffers& buffers_;
    LinkTrust* trust_;
    SendAnswer send_;
    std::deque<Session> sessions_{};         ///< the latest one and the one before, latest first
    std::map<std::uint64_t, Stop> stops_{};  ///< by the id of the command
    std::uint64_t received_ = 0;
    std::uint64_t executed_ = 0;
    std::shared_ptr<StrandInbox<link::Answer>> answers_;
};

}  // namespace caribou::robot
