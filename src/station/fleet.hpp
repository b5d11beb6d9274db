#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "link/secured_network.hpp"
#include "loop/network.hpp"
#include "station/call_opener.hpp"
#include "station/refusals.hpp"
#include "station/robot_session.hpp"

namespace caribou::station {

/// Identifies robots by their keys; a key has the name of its robot. Both must outlive the fleet.
struct FleetKeys {
    link::KeyBook& keys;
    link::SecuredNetwork& streams;
};

struct FleetSettings {
    SessionSettings session{};
    std::map<std::string, std::set<std::string>, std::less<>> groups{};  ///< names of robots by group
    std::set<std::string, std::less<>> robots{};                         ///< known before they call
    bool only_known = false;                                             ///< refuses all others
    /// Addresses (ReceivePort) of robots that do not call, because they only receive (CM2).
    std::map<std::string, Address, std::less<>> dial{};
    std::size_t max_robots = 10'000;
    /// how long to wait at the end until robots report that they have stopped
    Duration stop_limit = std::chrono::seconds(2);
    std::optional<FleetKeys> keys{};  ///< nullopt: no authentication
};

/// Number of datagrams received, and of those rejected.
struct FleetCounts {
    std::uint64_t datagrams = 0;
    std::uint64_t malformed = 0;  ///< not a datagram of a robot
    std::uint64_t foreign = 0;    ///< from an unknown sender
    std::uint64_t turned_away = 0;
    std::uint64_t refused = 0;  ///< wrong robot, sealed with an unknown key, or received before
    std::uint64_t doubled = 0;  ///< calls with the name of a robot that is connected from another address
};

/// All robots of a station. They call it at one address; each has a session.
class Fleet {
public:
    /// `events` receives the events of all sessions, and must outlive the fleet.
    Fleet(Loop& loop, Network& network, FleetSettings settings, SessionEvents& events, Log& log);
    ~Fleet();
    Fleet(const Fleet&) = delete;
    Fleet& operator=(const Fleet&) = delete;

    /// Starts to receive calls. Returns the actual address.
    Result<Address> listen(const Address& at);

    /// Returns null if no robot of that name has called.
    RobotSession* find(std::string_view name);
    /// Returns the robot of that name, which has called or has a key, or an error with a suggestion.
    Result<RobotSession*> require(std::string_view name);
    /// Returns the sessions, sorted by name.
    const std::map<std::string, std::unique_ptr<RobotSession>, std::less<>>& sessions() const {
        return sessions_;
    }
    std::vector<std::string> groups_of(std::string_view robot) const;
    /// Returns the robots of a group, or all robots if it is empty. Fails with not_found if there is no such
    /// group.
    Result<std::vector<RobotSession*>> members(std::string_view group);

    struct Stopped {
        std::size_t done = 0;
        std::vector<std::string> not_done;  ///< `name: reason`
    };
    /// Sends a full stop to the robots of a group, or to all, also to those that have a key and have not
    /// called yet: their stops remain unconfirmed until they do. `on_done` is called when each has answered.
    Result<void> stop_all(std::string_view group, const Asker& asker, std::function<void(Stopped)> on_done);

    /// Must be called when a client has disconnected.
    void forget(std::string_view asker);
    /// Stops the robots, closes their sessions, and calls `on_done`.
    void shut_down(Task on_done);

    const FleetCounts& counts() const { return counts_; }
    Refusals refusals() const;

private:
    void on_packet();
    void take(const Address& from, ByteView datagram);
    /// A decoded datagram and its sender.
    struct Letter {
        link::DatagramMessage message;
        /// key it was sealed with; nullopt: not sealed, or sealed in a session
        std::optional<link::PairedKey> key{};
    };
    Result<Letter> read(const Address& from, ByteView datagram);
    Result<Bytes> open_in_session(const Address& from, ByteView datagram);
    void take_call(const Address& from, const link::ConnectToMe& call,
                   const std::optional<link::PairedKey>& key);
    /// Assigns the datagrams of a sender to a robot, in place of its previous sender.
    void receive_from(const Address& from, RobotSession& session);
    void refuse(const Address& from, const Error& why);
    /// Connects to a robot whose call is from before its latest start. The robot must then prove its key.
    void follow_earlier_call(const Address& from, ByteView datagram);
    void accept_earlier_calls();
    RobotSession* session_for(const std::string& name);
    /// Returns the robots that have a key and are admitted, whether they have called or not.
    std::vector<std::string> paired() const;
    void tick();
    void hang_up_unpaired(Instant now);
    /// Connects to the robots that do not call.
    void dial_robots();
    void complain_once(std::string_view about, std::string_view text);

    Loop& loop_;
    Network& network_;
    FleetSettings settings_;
    SessionEvents& events_;
    Log& log_;
    std::map<std::string, std::unique_ptr<RobotSession>, std::less<>> sessions_;
    std::optional<CallOpener> calls_;
    std::map<Address, RobotSession*> by_address_;   ///< by the source address of their datagrams
    std::map<RobotSession*, link::KeyId> earlier_;  ///< connected after a call from an earlier start
    std::set<std::string, std::less<>> complained_;
    std::unique_ptr<Datagram> datagram_;
    std::unique_ptr<Timer> timer_;
    Instant keys_checked_{};
    std::unique_ptr<Timer> farewell_;
    FleetCounts counts_;
};

}  // namespace caribou::station
