#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"
#include "base/result.hpp"
#include "bus/callback.hpp"
#include "bus/client_link.hpp"
#include "bus/client_options.hpp"
#include "bus/client_outbox.hpp"
#include "bus/client_stats.hpp"
#include "bus/mail_queue.hpp"
#include "bus/mail_router.hpp"
#include "bus/reconnect.hpp"
#include "bus/server_requests.hpp"
#include "bus/skew.hpp"
#include "bus/subscriptions.hpp"
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

/// A client of a MOOS broker. Connects, and connects again whenever the connection is lost: at
/// once, then with growing jittered pauses of at most one second. What it was told to register it
/// registers again each time.
///
/// Lives on one loop; all calls come from there. Callbacks may call anything here except the
/// destructor. Nothing is sent inside a call: what was notified in one turn of the loop leaves in
/// one packet at its end.
class Client final : ClientLink::Events {
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

    ClientState state() const { return state_; }
    bool connected() const { return state_ == ClientState::connected; }

    /// Called when the broker has welcomed us and every registration is on its way.
    void on_connected(std::move_only_function<void()> handler) { connected_handler_.set(std::move(handler)); }
    /// Called with the reason when a connection that stood is lost or stopped.
    void on_disconnected(std::move_only_function<void(const Error&)> handler) {
        disconnected_handler_.set(std::move(handler));
    }
    /// Called with the broker's own words when it turns us away. What follows says
    /// ClientOptions::when_refused.
    void on_refused(std::move_only_function<void(std::string_view)> handler) {
        refused_handler_.set(std::move(handler));
    }

    /// Writes a variable. Waits in the outbox while there is no connection. dropped_oldest: taken,
    /// at the price of the oldest one that waited. Fails with limit_exceeded when there is no room
    /// (see ClientOptions::outbox), and with invalid_argument without a key.
    Result<Pushed> notify(std::string_view key, double value, const NotifyOptions& with = {});
    Result<Pushed> notify(std::string_view key, std::string_view value, const NotifyOptions& with = {});
    Result<Pushed> notify(std::string_view key, ByteView value, const NotifyOptions& with = {});
    /// Messages not yet handed to the network, and their bytes.
    std::size_t pending() const { return outbox_.count(); }
    std::size_t pending_bytes() const { return outbox_.bytes(); }
    /// Called when everything that waited has been handed to the network.
    void on_sent(std::move_only_function<void()> handler) { sent_handler_.set(std::move(handler)); }
    /// Called when the outbox, after it had turned something away, is at most half full.
    void on_room(std::move_only_function<void()> handler) { room_handler_.set(std::move(handler)); }

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
    void on_mail(std::string_view key, MailHandler handler) { mail_.on_mail(key, std::move(handler)); }
    /// The queue of a variable's mail for one consumer, made at the first call; it stays until
    /// the client goes. Each consumer's queue gets everything.
    MailQueue& queue(std::string_view key, std::string_view consumer = {}) {
        return mail_.queue(key, consumer);
    }
    /// Who hears the mail of all variables that have neither handler nor queue. While there is
    /// one, nothing is left for fetch(). An empty one removes it.
    void on_other_mail(MailHandler handler) { mail_.on_other_mail(std::move(handler)); }
    /// Takes the mail of all variables that have neither handler nor queue, in order of arrival.
    std::vector<wire::Message> fetch() { return mail_.general().fetch(); }
    MailQueue& general_queue() { return mail_.general(); }
    /// Called when mail was put into any queue, at most once for what one read brought.
    void on_queued(std::move_only_function<void()> handler) { queued_handler_.set(std::move(handler)); }
    /// Called for each message that a full queue did not keep, with the variable whose mail came in.
    void on_mail_lost(std::move_only_function<void(std::string_view)> handler) {
        mail_lost_handler_.set(std::move(handler));
    }

    /// Asks the broker itself: ALL, VAR_SUMMARY, PROC_SUMMARY. The handler gets the answer, or an
    /// error: timed_out (some brokers do not answer what they do not know), unreachable when the
    /// connection was lost, limit_exceeded when the answer is larger than ClientOptions::inbox.
    /// Requests are answered one after another. Without handler (DB_CLEAR) no answer is awaited.
    /// Fails when there is no connection or too many wait.
    Result<void> server_request(std::string_view what, ReplyHandler handler = {},
                                Duration limit = std::chrono::seconds(5));

    const ClientOptions& options() const { return options_; }
    /// The mode that this connection runs in: a broker that does not say `asynchronous` in its
    /// welcome gets lock-step.
    CommsMode mode() const { return mode_; }
    /// The broker's community and the name it gives its host, of the last connection.
    const std::string& community() const { return community_; }
    const std::string& broker_host() const { return broker_host_; }
    /// How many seconds the broker's clock is ahead of ours, as far as we know.
    double skew() const { return skew_.seconds(); }
    bool corrects_skew() const { return corrects_skew_; }
    /// What a message written now is stamped with: UNIX seconds, by the broker's clock if skew is
    /// corrected.
    double stamp() const;
    std::optional<WallTime> last_connected() const { return last_connected_; }
    /// Why the last attempt or connection failed.
    const std::optional<Error>& last_error() const { return last_error_; }
    const ClientStats& stats() const { return stats_; }

private:
    // What the link reports.
    void on_standing() override;
    void on_message(const wire::MessageView& message, ByteView raw) override;
    void on_packet_end() override;
    void on_read_end() override;
    void on_packet_sent() override;
    void on_lost(const Error& why) override;

    // How the connection comes and goes.
    void attempt();
    void on_answer(const wire::MessageView& message);
    void on_welcome(const wire::MessageView& message);
    void on_poison(const wire::MessageView& message);
    bool should_correct_skew() const;
    void leave(ClientState next, const Error& why);
    void on_beat();
    void on_deadline();
    Instant quiet_since(Instant now) const;
    void deliver(const wire::MessageView& message, ByteView raw);
    double local_stamp() const;

    // What is sent, and when: client_posts.cpp.
    enum class Change { add, remove };
    Result<Pushed> notify(wire::MessageView message, const NotifyOptions& with);
    Result<Pushed> post(wire::MessageView message);
    std::int32_t take_id();
    Result<void> add_registration(Subscriptions::Registration registration, Duration interval);
    Result<void> send_registration(const Subscriptions::Registration& registration, Change change);
    wire::MessageView registration_message(const Subscriptions::Registration& registration, Change change,
                                           std::string& payload) const;
    bool put_registrations();
    Result<void> post_request(std::string_view what);
    void send_next_request();
    void request_flush();
    void flush();
    void send_tick();
    void send(Instant now);
    void after_sending();

    Loop& loop_;
    ClientOptions options_;
    const Clock& stamps_;
    ClientState state_ = ClientState::idle;
    ClientStats stats_;

    ClientOutbox outbox_;
    ClientLink link_;
    Subscriptions subscriptions_;
    MailRouter mail_;
    ServerRequests requests_;
    Reconnect reconnect_;
    Skew skew_;
    std::int32_t next_id_ = 0;

    CommsMode mode_;
    std::string community_;
    std::string broker_host_;
    bool corrects_skew_ = false;
    std::optional<WallTime> last_connected_;
    std::optional<Error> last_error_;

    // Of the present connection.
    Instant connected_at_{};
    Instant last_heard_{};
    Instant last_sent_{};
    std::optional<Instant> last_timing_;
    Duration pause_{0};             ///< that the broker wants between two packets
    bool restoring_ = false;        ///< the next packet begins with all registrations
    bool awaiting_answer_ = false;  ///< in lock-step
    double tick_stamp_ = 0;         ///< when the packet left whose answer is awaited

    bool flush_posted_ = false;
    bool turned_away_ = false;  ///< the outbox was full since on_room was called last
    bool finishing_ = false;
    bool queued_something_ = false;

    std::unique_ptr<Timer> beat_;      ///< next attempt, heartbeat, comms tick
    std::unique_ptr<Timer> deadline_;  ///< connect, handshake, silence
    std::unique_ptr<Timer> hold_;      ///< the end of the pause between two packets
    std::unique_ptr<Timer> finish_;
    std::shared_ptr<Client*> self_;  ///< for posted tasks, which may outlive us

    Callback<> connected_handler_;
    Callback<const Error&> disconnected_handler_;
    Callback<std::string_view> refused_handler_;
    Callback<> sent_handler_;
    Callback<> room_handler_;
    Callback<> queued_handler_;
    Callback<std::string_view> mail_lost_handler_;
};

}  // namespace caribou::bus
