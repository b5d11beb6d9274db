#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/log.hpp"
#include "bus/broker.hpp"
#include "loop/network.hpp"
#include "loop/warp.hpp"

namespace caribou::bus {

/// Joins a Broker to a network: accepts, reads big, and sends once per turn of the loop.
class BrokerServer {
public:
    struct Options {
        BrokerOptions broker{};
        Warp warp{};
    };

    BrokerServer(Loop& loop, Network& network, Options options, Log& log);
    ~BrokerServer();
    BrokerServer(const BrokerServer&) = delete;
    BrokerServer& operator=(const BrokerServer&) = delete;

    /// Listens at one more address. Returns where it really listens.
    Result<Address> listen(const Address& at);

    const Broker& broker() const { return broker_; }

    static constexpr std::size_t read_size = 256_KiB;

private:
    class Session;

    Moment moment() const;
    /// The moment at which this turn of the loop began: clocks are not read for every event.
    const Moment& present();
    void accept(std::unique_ptr<Stream> stream);
    void on_readable(Session& session);
    void on_writable(Session& session);
    void flush(Session& session, const Moment& at);
    void schedule_end_of_turn();
    void end_turn();
    void arm_timer(const Moment& at);

    Loop& loop_;
    Network& network_;
    Log& log_;
    WarpedClock warped_;
    Broker broker_;
    std::vector<std::unique_ptr<Listener>> listeners_;
    std::unordered_map<ConnectionId, std::unique_ptr<Session>> sessions_;
    std::unique_ptr<Timer> timer_;
    Instant wake_{Instant::max()};   ///< what the timer is armed for
    std::optional<Moment> present_;  ///< while a turn lasts
    bool end_scheduled_ = false;
    std::vector<ConnectionId> ready_;
    std::array<ByteView, 64> pieces_;  ///< of the write under way
    Bytes scratch_;
};

}  // namespace caribou::bus
