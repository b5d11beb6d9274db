#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/bytes.hpp"
#include "base/result.hpp"
#include "bus/callback.hpp"
#include "bus/client.hpp"
#include "bus/client_link.hpp"
#include "bus/client_outbox.hpp"
#include "bus/mail_router.hpp"
#include "bus/reconnect.hpp"
#include "bus/server_requests.hpp"
#include "bus/skew.hpp"
#include "bus/subscriptions.hpp"
#include "loop/loop.hpp"
#include "loop/network.hpp"
#include "wire/message.hpp"

namespace caribou::bus {

/// Callbacks of a client.
struct ClientHandlers {
    Callback<> connected;
    Callback<const Error&> disconnected;
    Callback<std::string_view> refused;
    Callback<> sent;
    Callback<> room;
    Callback<> queued;
    Callback<std::string_view> mail_lost;
};

/// The state machine behind Client, which documents the contracts of the calls. Private to bus.
class ClientCore final : ClientLink::Events {
public:
    ClientCore(Loop& loop, Network& network, ClientOptions options);
    ~ClientCore();
    ClientCore(const ClientCore&) = delete;
    ClientCore& operator=(const ClientCore&) = delete;

    Result<void> start();
    void stop();
    void finish(Duration limit);

    /// `message` must have a key and a value.
    Result<Pushed> notify(wire::MessageView message, const NotifyOptions& with);
    Result<void> register_variable(std::string_view key, Duration interval);
    Result<void> unregister_variable(std::string_view key);
    Result<void> register_wildcard(std::string_view var_pattern, std::string_view app_pattern,
                                   Duration interval);
    Result<void> unregister_wildcard(std::string_view var_pattern, std::string_view app_pattern);
    Result<void> server_request(std::string_view what, ReplyHandler handler, Duration limit);

    ClientHandlers& handlers() { return handlers_; }
    MailRouter& mail() { return mail_; }
    const ClientOutbox& outbox() const { return outbox_; }

    ClientState state() const { return state_; }
    const ClientOptions& options() const { return options_; }
    CommsMode mode() const { return mode_; }
    const std::string& community() const { return community_; }
    const std::string& broker_host() const { return broker_host_; }
    double skew() const { return skew_.seconds(); }
    bool corrects_skew() const { return corrects_skew_; }
    double stamp() const;
    double warp() const { return warp_; }
    std::optional<WallTime> last_connected() const { return last_connected_; }
    const std::optional<Error>& last_error() const { return last_error_; }
    const ClientStats& stats() const { return stats_; }

private:
    // ClientLink::Events.
    void on_standing() override;
    void on_message(const wire::MessageView& message, ByteView raw) override;
    void on_packet_end() override;
    void on_read_end() override;
    void on_packet_sent() override;
    void on_lost(const Error& why) override;

    // Connection management.
    void attempt();
    void on_answer(const wire::MessageView& message);
    void on_welcome(const wire::MessageView& message);
    void on_poison(const wire::MessageView& message);
    bool should_correct_skew() const;
    void leave(ClientState next, Error why);
    void on_beat();
    void on_deadline();
    Instant quiet_since(Instant now) const;
    void deliver(const wire::MessageView& message, ByteView raw);
    double local_stamp() const;

    // Sending, in client_posts.cpp.
    enum class Change { add, remove };
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
    void stop_if_finished();

    bool connected() const { return state_ == ClientState::connected; }

    Loop& loop_;
    ClientOptions options_;
    const Clock& stamps_;
    ClientState state_ = ClientState::idle;
    ClientStats stats_;
    ClientHandlers handlers_;
    MailRouter mail_;

    ClientOutbox outbox_;
    ClientLink link_;
    Subscriptions subscriptions_;
    ServerRequests requests_;
    Reconnect reconnect_;
    Skew skew_;
    std::int32_t next_id_ = 0;

    CommsMode mode_;
    std::string community_;
    std::string broker_host_;
    bool corrects_skew_ = false;
    double warp_ = 1;  ///< adopted from the broker
    std::optional<WallTime> last_connected_;
    std::optional<Error> last_error_;

    // State of the current connection.
    Instant connected_at_{};
    Instant last_heard_{};
    Instant last_sent_{};
    std::optional<Instant> last_timing_;
    Duration pause_{0};             ///< requested by the broker between two packets
    bool restoring_ = false;        ///< the next packet starts with all registrations
    bool awaiting_answer_ = false;  ///< in synchronous mode
    double tick_stamp_ = 0;         ///< when the packet whose answer is awaited was sent

    bool flush_posted_ = false;
    bool turned_away_ = false;  ///< the outbox was full since the last call of on_room
    bool finishing_ = false;
    bool queued_something_ = false;

    std::unique_ptr<Timer> beat_;      ///< timer for the next attempt, heartbeat or comms tick
    std::unique_ptr<Timer> deadline_;  ///< timeout of connecting, handshake or silence
    std::unique_ptr<Timer> hold_;      ///< end of the pause between two packets
    std::unique_ptr<Timer> finish_;
    std::shared_ptr<ClientCore*> self_;  ///< for posted tasks, which may outlive this object
};

}  // namespace caribou::bus
