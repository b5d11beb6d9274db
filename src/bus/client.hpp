#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"
#include "base/result.hpp"
#include "bus/client_handlers.hpp"
#include "bus/client_options.hpp"
#include "bus/client_stats.hpp"
#include "bus/mail_queue.hpp"
#include "loop/inbox.hpp"
#include "loop/loop.hpp"
#include "loop/network.hpp"
#include "wire/message.hpp"

namespace caribou::bus {

enum class ClientState {
    idle,           ///< made, not started
    connecting,     ///< waits for the connection to stand
    shaking_hands,  ///< waits for the broker's welcome
    connected,
    waiting,  ///< for the next attempt
    stopped,
};

std::string_view to_string(ClientState state);

/// What goes with a value, if anything.
struct NotifyOptions {
    std::string_view aux{};        ///< free text for the readers
    std::optional<double> time{};  ///< UNIX seconds; none: now
    std::string_view source{};     ///< who wrote it, for bridges and players; empty: this client
    std::string_view community{};  ///< where it was written first; empty: the broker's
};

class ClientCore;

/// A client of a MOOS broker. Connects, and connects again whenever the connection is lost: at
/// once, then with growing jittered pauses of at most one second. What it was told to register it
/// registers again each time.
///
/// Lives on one loop; all calls come from there. Callbacks may call anything here except the
/// destructor. Nothing is sent inside a call: what was notified in one turn of the loop leaves in
/// one packet at its end.
class Client {
public:
    /// Both outlive the client.
    Client(Loop& loop, Network& network, ClientOptions options);
    ~Client();
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;

    /// Starts to connect, also after stop(). Refuses an empty name and a comms tick outside [0.5, 200].
    Result<void> start();
    /// Ends the connection and all attempts. What waits to be sent stays for the next start() as
    /// OnLoss says; server requests fail. on_disconnected is called if there was a connection.
    void stop();
    /// Stops as soon as everything is handed to the network, at the latest after `limit`.
    void finish(Duration limit);

    ClientState state() const;
    bool connected() const { return state() == ClientState::connected; }

    /// Called when the broker has welcomed us and every registration is on its way.
    void on_connected(std::move_only_function<void()> handler);
    /// Called with the reason when a connection that stood is lost or stopped.
    void on_disconnected(std::move_only_function<void(const Error&)> handler);
    /// Called with the broker's own words when it turns us away. What follows says
    /// ClientOptions::when_refused.
    void on_refused(std::move_only_function<void(std::string_view)> handler);

    /// Writes a variable. Waits in the outbox while there is no connection. dropped_oldest: taken,
    /// at the price of the oldest one that waited. Fails with limit_exceeded when there is no room
    /// (see ClientOptions::outbox), and with invalid_argument without a key.
    Result<Pushed> notify(std::string_view key, double value, const NotifyOptions& with = {});
    Result<Pushed> notify(std::string_view key, std::string_view value, const NotifyOptions& with = {});
    Result<Pushed> notify(std::string_view key, ByteView value, const NotifyOptions& with = {});
    /// Messages not yet handed to the network, and their bytes.
    std::size_t pending() const;
    std::size_t pending_bytes() const;
    /// Called when everything that waited has been handed to the network.
    void on_sent(std::move_only_function<void()> handler);
    /// Called when the outbox, after it had turned something away, is at most half full.
    void on_room(std::move_only_function<void()> handler);

    /// Asks for a variable: its latest value now, then every write, but not more often than
    /// `interval`. Holds across reconnects until unregistered. Registering again changes the
    /// interval and brings the latest value again. Fails when there is no room in the outbox, and
    /// then nothing has changed.
    Result<void> register_variable(std::string_view key, Duration interval = Duration::zero());
    Result<void> unregister_variable(std::string_view key);
    /// The same for all variables whose name and writer match; `*` and `?` stand for any text and
    /// any letter. Patterns cannot contain a comma. A variable that was unregistered out of a wildcard
    /// comes back with it after a reconnect.
    Result<void> register_wildcard(std::string_view app_pattern, std::string_view var_pattern,
                                   Duration interval = Duration::zero());
    Result<void> unregister_wildcard(std::string_view app_pattern, std::string_view var_pattern);

    /// Who hears a variable's mail as it arrives; the fields of a message stand until the handler
    /// returns. One per variable: a new one replaces the old, an empty one removes it.
    void on_mail(std::string_view key, MailHandler handler);
    /// The queue of a variable's mail for one consumer, made at the first call; it stays until
    /// the client goes. Each consumer's queue gets everything.
    MailQueue& queue(std::string_view key, std::string_view consumer = {});
    /// Who hears the mail of all variables that have neither handler nor queue. While there is
    /// one, nothing is left for fetch(). An empty one removes it.
    void on_other_mail(MailHandler handler);
    /// Takes the mail of all variables that have neither handler nor queue, in order of arrival.
    std::vector<wire::Message> fetch() { return general_queue().fetch(); }
    MailQueue& general_queue();
    /// Called when mail was put into any queue, at most once for what one read brought.
    void on_queued(std::move_only_function<void()> handler);
    /// Called for each message that a full queue did not keep, with the variable whose mail came in.
    void on_mail_lost(std::move_only_function<void(std::string_view)> handler);

    /// Asks the broker itself: ALL, VAR_SUMMARY, PROC_SUMMARY. The handler gets the answer, or an
    /// error: timed_out (some brokers do not answer what they do not know), unreachable when the
    /// connection was lost, limit_exceeded when the answer is larger than ClientOptions::inbox.
    /// Requests are answered one after another. Without handler (DB_CLEAR) no answer is awaited.
    /// Fails when there is no connection or too many wait.
    Result<void> server_request(std::string_view what, ReplyHandler handler = {},
                                Duration limit = std::chrono::seconds(5));

    const ClientOptions& options() const;
    /// The mode that this connection runs in: a broker that does not say `asynchronous` in its
    /// welcome gets lock-step.
    CommsMode mode() const;
    /// The broker's community and the name it gives its host, of the last connection.
    const std::string& community() const;
    const std::string& broker_host() const;
    /// How many seconds the broker's clock is ahead of ours, as far as we know.
    double skew() const;
    bool corrects_skew() const;
    /// What a message written now is stamped with: UNIX seconds, by the broker's clock if skew is
    /// corrected.
    double stamp() const;
    /// The time warp that was adopted from the broker (ClientOptions::adopt_warp); 1 otherwise.
    double warp() const;
    std::optional<WallTime> last_connected() const;
    /// Why the last attempt or connection failed.
    const std::optional<Error>& last_error() const;
    const ClientStats& stats() const;

private:
    std::unique_ptr<ClientCore> core_;
};

}  // namespace caribou::bus
