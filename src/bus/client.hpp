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
    idle,           ///< created, not started
    connecting,     ///< waiting for the TCP connection
    shaking_hands,  ///< waiting for the broker's welcome
    connected,
    waiting,  ///< until the next attempt
    stopped,
};

std::string_view to_string(ClientState state);

/// Optional fields of a value.
struct NotifyOptions {
    std::string_view aux{};        ///< free text for subscribers
    std::optional<double> time{};  ///< UNIX seconds; nullopt: now
    std::string_view source{};     ///< name of the writer, for bridges and players; empty: this client
    std::string_view community{};  ///< community in which it was first written; empty: the broker's
};

class ClientCore;

/// A client of a MOOS broker. Connects, and reconnects whenever the connection is lost: at once, then after
/// increasing, jittered pauses of at most one second. Registrations are repeated after each reconnect.
///
/// Not thread-safe: all calls must be made on the loop's thread. Callbacks may call any method except the
/// destructor. No method sends directly: all messages of one turn of the loop are sent in one packet at its
/// end.
class Client {
public:
    /// Both arguments must outlive the client.
    Client(Loop& loop, Network& network, ClientOptions options);
    ~Client();
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;

    /// Starts to connect; may also be called after stop(). Fails with invalid_argument if the name is empty
    /// or the comms tick is outside [0.5, 200].
    Result<void> start();
    /// Closes the connection and stops connecting. Unsent messages are kept or dropped as OnLoss defines;
    /// pending server requests fail. Calls on_disconnected if there was a connection.
    void stop();
    /// Stops as soon as everything has been passed to the network, or after `limit`.
    void finish(Duration limit);

    ClientState state() const;
    bool connected() const { return state() == ClientState::connected; }

    /// Called when the broker has accepted the client and all registrations have been queued.
    void on_connected(std::move_only_function<void()> handler);
    /// Called with the reason when an established connection is lost or stopped.
    void on_disconnected(std::move_only_function<void(const Error&)> handler);
    /// Called with the broker's message when it refuses the client. ClientOptions::when_refused defines what
    /// happens next.
    void on_refused(std::move_only_function<void(std::string_view)> handler);

    /// Publishes a value. Without a connection it waits in the outbox. Returns dropped_oldest if the oldest
    /// waiting value was dropped to make room. Fails with limit_exceeded if the outbox is full (see
    /// ClientOptions::outbox), and with invalid_argument if the key is empty.
    Result<Pushed> notify(std::string_view key, double value, const NotifyOptions& with = {});
    Result<Pushed> notify(std::string_view key, std::string_view value, const NotifyOptions& with = {});
    Result<Pushed> notify(std::string_view key, ByteView value, const NotifyOptions& with = {});
    /// Return the number of messages not yet passed to the network, and their size in bytes.
    std::size_t pending() const;
    std::size_t pending_bytes() const;
    /// Called when everything in the outbox has been passed to the network.
    void on_sent(std::move_only_function<void()> handler);
    /// Called when the outbox, after it had refused a message, is at most half full.
    void on_room(std::move_only_function<void()> handler);

    /// Subscribes to a variable: delivers its latest value, then every write, but at most one per `interval`.
    /// The registration is kept across reconnects until it is removed. Registering again changes the interval
    /// and delivers the latest value again. Fails if the outbox is full; then nothing has changed.
    Result<void> register_variable(std::string_view key, Duration interval = Duration::zero());
    Result<void> unregister_variable(std::string_view key);
    /// Subscribes to all variables whose name and writer match; `*` matches any text and `?` any character.
    /// Patterns must not contain a comma. A variable that was unregistered individually is subscribed again
    /// with the wildcard after a reconnect.
    Result<void> register_wildcard(std::string_view var_pattern, std::string_view app_pattern,
                                   Duration interval = Duration::zero());
    Result<void> unregister_wildcard(std::string_view var_pattern, std::string_view app_pattern);

    /// Sets the handler for a variable's mail, called as it arrives. The fields of a message are valid until
    /// the handler returns. Each variable has at most one handler: a new one replaces the old one, an empty
    /// one removes it.
    void on_mail(std::string_view key, MailHandler handler);
    /// Returns the mail queue of a variable for one consumer, created by the first call and valid as long as
    /// the client. Every consumer's queue receives all mail of the variable.
    MailQueue& queue(std::string_view key, std::string_view consumer = {});
    /// Sets the handler for mail of variables with neither handler nor queue. While one is set, fetch()
    /// returns nothing. An empty handler removes it.
    void on_other_mail(MailHandler handler);
    /// Returns and removes the mail of all variables with neither handler nor queue, in order of arrival.
    std::vector<wire::Message> fetch() { return general_queue().fetch(); }
    MailQueue& general_queue();
    /// Called when mail was added to any queue, at most once per read from the network.
    void on_queued(std::move_only_function<void()> handler);
    /// Called for each message that was lost because a queue was full, with the variable whose mail arrived.
    void on_mail_lost(std::move_only_function<void(std::string_view)> handler);

    /// Sends a request to the broker itself: ALL, VAR_SUMMARY, PROC_SUMMARY. The handler receives the answer
    /// or an error: timed_out (some brokers ignore unknown requests), unreachable if the connection was lost,
    /// limit_exceeded if the answer is larger than ClientOptions::inbox. Requests are processed one at a
    /// time. Without a handler (DB_CLEAR) no answer is expected. Fails if there is no connection or too many
    /// requests are waiting.
    Result<void> server_request(std::string_view what, ReplyHandler handler = {},
                                Duration limit = std::chrono::seconds(5));

    const ClientOptions& options() const;
    /// Returns the mode of this connection: synchronous if the broker's welcome does not contain
    /// `asynchronous`.
    CommsMode mode() const;
    /// Returns the broker's community and the name of its host, as of the last connection.
    const std::string& community() const;
    const std::string& broker_host() const;
    /// Returns the estimated number of seconds by which the broker's clock is ahead of ours.
    double skew() const;
    bool corrects_skew() const;
    /// Returns the time stamp of a message written now: UNIX seconds, by the broker's clock if skew is
    /// corrected.
    double stamp() const;
    /// Returns the time warp adopted from the broker (ClientOptions::adopt_warp), otherwise 1.
    double warp() const;
    std::optional<WallTime> last_connected() const;
    /// Returns why the last attempt or connection failed, or nullopt.
    const std::optional<Error>& last_error() const;
    const ClientStats& stats() const;

private:
    std::unique_ptr<ClientCore> core_;
};

}  // namespace caribou::bus
