#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/log.hpp"
#include "bus/broker.hpp"
#include "bus/journal.hpp"
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
    /// Closes the listeners, then the clients: a client that reconnects at once is refused and tries again.
    /// One whose handshake is cut may never try again; stop() prevents that.
    ~BrokerServer();
    BrokerServer(const BrokerServer&) = delete;
    BrokerServer& operator=(const BrokerServer&) = delete;

    /// Listens at one more address. Returns where it really listens.
    Result<Address> listen(const Address& at) { return listen(at, network_); }
    /// The same on another network, which outlives the server.
    Result<Address> listen(const Address& at, Network& network);

    /// Lets no further connection begin, and calls `on_stopped` when the handshakes that have begun are
    /// finished, after limits.stop_grace at the latest. Clients are served until the server is destroyed.
    void stop(Task on_stopped);

    /// Takes over the values that were kept, and has `writer` keep them from now on. Once, before
    /// anybody connects. The writer outlives the server.
    void keep_values(JournalWriter& writer, const JournalOptions& options, const wire::JournalContents& kept);
    /// nullptr if values are not kept.
    Journal* journal() { return journal_.get(); }

    /// A value from a person at the broker's own window, delivered at the end of this turn.
    Result<void> poke(std::string_view source, const wire::MessageView& value);
    void on_event(Broker::EventHandler handler) { broker_.on_event(std::move(handler)); }

    const Broker& broker() const { return broker_; }
    /// The time by which the broker stamps.
    double stamp() const { return moment().stamp; }

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
    void tick();
    /// Whether nothing may be told, and so nothing may be taken, until the journal has caught up.
    bool holding() const { return journal_ && journal_->holds_back(); }
    void on_settled();
    /// Whether no handshake is under way, and everything that was to be sent has been handed over.
    bool is_quiet() const;
    void check_stopped();

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
    std::vector<ConnectionId> held_readable_;  ///< what happened while holding
    std::vector<ConnectionId> held_writable_;
    bool held_tick_ = false;
    std::array<ByteView, 64> pieces_;  ///< of the write under way
    Bytes scratch_;
    std::unique_ptr<Journal> journal_;

    std::unique_ptr<Timer> stop_check_;  ///< while it stops
    Instant stop_deadline_{};
    Instant quiet_since_{};
    Task on_stopped_;
};

}  // namespace caribou::bus
