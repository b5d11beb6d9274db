#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/log.hpp"
#include "bus/broker.hpp"
#include "bus/journal.hpp"
#include "loop/network.hpp"
#include "loop/warp.hpp"

namespace caribou::bus {

/// Connects a Broker to a network. Reads in large pieces, and sends once per turn of the loop.
class BrokerServer {
public:
    struct Options {
        BrokerOptions broker{};
        Warp warp{};
    };

    BrokerServer(Loop& loop, Network& network, Options options, Log& log);
    /// Closes the listeners first, then the clients, so that a client that reconnects immediately is refused
    /// and tries again. A MOOS client whose handshake is cut may never try again; stop() prevents that.
    ~BrokerServer();
    BrokerServer(const BrokerServer&) = delete;
    BrokerServer& operator=(const BrokerServer&) = delete;

    /// Listens on an additional address. Returns the actual address.
    Result<Address> listen(const Address& at) { return listen(at, network_); }
    /// Same, on another network, which must outlive the server.
    Result<Address> listen(const Address& at, Network& network);

    /// Accepts no further connections, and calls `on_stopped` when all handshakes in progress are finished,
    /// or after limits.stop_grace. Clients are served until the server is destroyed.
    void stop(Task on_stopped);

    /// Restores the values in `kept`, and stores values through `writer` from now on. Must be called at most
    /// once, before the first client connects. The writer must outlive the server.
    void keep_values(JournalWriter& writer, const JournalOptions& options, const wire::JournalContents& kept);
    /// Returns the journal, or nullptr if values are not stored.
    Journal* journal() { return journal_.get(); }

    /// Writes a value on behalf of the broker's web page; it is delivered at the end of this turn.
    Result<void> poke(std::string_view source, const wire::MessageView& value);
    /// Delivers the variables that match one of the patterns to a reader in this process, which is not a
    /// client; existing values at once. It must outlive the server or be removed with unwatch().
    void watch(Member& reader, std::span<const std::string> patterns);
    void unwatch(Member& reader) { broker_.exchange().leave(reader); }
    void on_event(Broker::EventHandler handler) { broker_.on_event(std::move(handler)); }

    const Broker& broker() const { return broker_; }
    double warp_factor() const { return warp_factor_; }
    /// Returns the present time as the broker stamps messages.
    double stamp() const { return moment().stamp; }

    static constexpr std::size_t read_size = 256_KiB;

private:
    class Session;

    Moment moment() const;
    /// Returns the time at which this turn of the loop began: the clock is read once per turn, not per event.
    const Moment& present();
    void accept(std::unique_ptr<Stream> stream);
    void on_readable(Session& session);
    void on_writable(Session& session);
    void flush(Session& session, const Moment& at);
    void schedule_end_of_turn();
    void end_turn();
    void arm_timer(const Moment& at);
    void tick();
    /// Returns whether reading and writing are suspended until the journal has caught up
    /// (Durability::always).
    bool holding() const { return journal_ && journal_->holds_back(); }
    void on_settled();
    /// Returns whether no handshake is in progress and all output has been passed to the network.
    bool is_quiet() const;
    void check_stopped();

    Loop& loop_;
    Network& network_;
    Log& log_;
    double warp_factor_;
    WarpedClock warped_;
    Broker broker_;
    std::vector<std::unique_ptr<Listener>> listeners_;
    std::unordered_map<ConnectionId, std::unique_ptr<Session>> sessions_;
    std::unique_ptr<Timer> timer_;
    Instant wake_{Instant::max()};   ///< time the timer is armed for
    std::optional<Moment> present_;  ///< during a turn
    bool end_scheduled_ = false;
    std::vector<ConnectionId> ready_;
    std::vector<ConnectionId> waiting_;        ///< not read while their input waits for the next turn
    std::vector<ConnectionId> held_readable_;  ///< readable while holding() was true
    std::vector<ConnectionId> held_writable_;
    bool held_tick_ = false;
    std::array<ByteView, 64> pieces_;  ///< of the current write
    Bytes scratch_;
    std::unique_ptr<Journal> journal_;

    std::unique_ptr<Timer> stop_check_;  ///< while stopping
    Instant stop_deadline_{};
    Instant quiet_since_{};
    Task on_stopped_;
};

}  // namespace caribou::bus
