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

/// How robots are known by their keys, each named as its robot. Both outlive the fleet.
struct FleetKeys {
    link::KeyBook& keys;
    link::SecuredNetwork& streams;
};

struct FleetSettings {
    SessionSettings session{};
    std::map<std::string, std::set<std::string>, std::less<>> groups{};  ///< names of robots, by group
    std::set<std::string, std::less<>> robots{};                         ///< that are known before they call
    bool only_known = false;                                             ///< others are turned away
    std::size_t max_robots = 10'000;
    Duration stop_limit = std::chrono::seconds(2);  ///< for robots to say that they have stopped, at the end
    std::optional<FleetKeys> keys{};                ///< none: the link is plain, and robots are believed
};

/// What came in, and what of it made no sense.
struct FleetCounts {
    std::uint64_t datagrams = 0;
    std::uint64_t malformed = 0;  ///< no datagram of a robot
    std::uint64_t foreign = 0;    ///< of nobody who has called
    std::uint64_t turned_away = 0;
    std::uint64_t refused = 0;  ///< not the one it says, sealed with no key of ours, or seen before
    std::uint64_t doubled = 0;  ///< calls in the name of a robot that is connected from elsewhere
};

/// All robots of a station. They find it at one address; each has a session.
class Fleet {
public:
    /// `events` hears of every session, and outlives the fleet.
    Fleet(Loop& loop, Network& network, FleetSettings settings, SessionEvents& events, Log& log);
    ~Fleet();
    Fleet(const Fleet&) = delete;
    Fleet& operator=(const Fleet&) = delete;

    /// Hears robots there from now on. Returns where that really is.
    Result<Address> listen(const Address& at);

    /// Null: no robot of that name has called.
    RobotSession* find(std::string_view name);
    /// The robot of that name, or why there is none, with a suggestion.
    Result<RobotSession*> require(std::string_view name);
    /// In order of their names.
    const std::map<std::string, std::unique_ptr<RobotSession>, std::less<>>& sessions() const {
        return sessions_;
    }
    std::vector<std::string> groups_of(std::string_view robot) const;
    /// The robots of a group, or all of them if it is empty. not_found: there is no such group.
    Result<std::vector<RobotSession*>> members(std::string_view group);

    struct Stopped {
        std::size_t done = 0;
        std::vector<std::string> not_done;  ///< `name: why`
    };
    /// A full stop for the robots of a group, or for all. `on_done` comes when each has answered.
    Result<void> stop_all(std::string_view group, const Asker& asker, std::function<void(Stopped)> on_done);

    /// Somebody has gone.
    void forget(std::string_view asker);
    /// Stops the robots, says goodbye to them, and calls `on_done`.
    void shut_down(Task on_done);

    const FleetCounts& counts() const { return counts_; }
    Refusals refusals() const;

private:
    void on_packet();
    void take(const Address& from, ByteView datagram);
    /// A datagram as it was meant, and whose it is.
    struct Letter {
        link::DatagramMessage message;
        std::optional<link::PairedKey> key{};  ///< it was sealed with; none: plainly, or in a session
    };
    Result<Letter> read(const Address& from, ByteView datagram);
    Result<Bytes> open_in_session(const Address& from, ByteView datagram);
    void take_call(const Address& from, const link::ConnectToMe& call,
                   const std::optional<link::PairedKey>& key);
    void refuse(const Address& from, const Error& why);
    /// Dials a robot whose call is from before its latest start, if it is one. The robot has to prove its
    /// key.
    void follow_earlier_call(const Address& from, ByteView datagram);
    void accept_earlier_calls();
    RobotSession* session_for(const std::string& name);
    void tick();
    void hang_up_unpaired(Instant now);
    void complain_once(std::string_view about, std::string_view text);

    Loop& loop_;
    Network& network_;
    FleetSettings settings_;
    SessionEvents& events_;
    Log& log_;
    std::map<std::string, std::unique_ptr<RobotSession>, std::less<>> sessions_;
    std::optional<CallOpener> calls_;
    std::map<Address, RobotSession*> by_address_;   ///< from where their datagrams come
    std::map<RobotSession*, link::KeyId> earlier_;  ///< dialed after a call from an earlier start
    std::set<std::string, std::less<>> complained_;
    std::unique_ptr<Datagram> datagram_;
    std::unique_ptr<Timer> timer_;
    Instant keys_checked_{};
    std::unique_ptr<Timer> farewell_;
    FleetCounts counts_;
};

}  // namespace caribou::station
