#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/log.hpp"
#include "bus/client.hpp"
#include "loop/loop.hpp"

namespace caribou {

/// What notify() does when the outbox is full (ClientOptions::outbox).
enum class WhenOutboxFull {
    block,        ///< waits for room, at most for ThreadedClientOptions::block_limit
    drop_oldest,  ///< drops the oldest message and returns dropped_oldest
    refuse,       ///< fails
};

/// Options of a ThreadedClient, in addition to those of the client itself.
struct ThreadedClientOptions {
    bus::ClientOptions client{};  ///< an empty hostname is filled in
    /// Replaces client.outbox.when_full.
    WhenOutboxFull when_full = WhenOutboxFull::block;
    Duration block_limit = std::chrono::seconds(1);
    /// How long the destructor waits for pending messages to be sent.
    Duration linger = std::chrono::seconds(1);
    /// False: the client connects when bus::Client::start() is called by with_client().
    bool connect_at_start = true;
};

class ThreadedClientCore;

/// A bus client on its own thread, for programs with their own main loop. Thread-safe, except for the
/// destructor, before which all other calls must have returned. Callbacks run on the client's thread, where
/// blocking calls (with a full outbox, wait_for_mail, server_request) fail instead of waiting.
class ThreadedClient {
public:
    /// Starts the client and its thread. Fails like bus::Client::start(), and with unavailable if the thread
    /// cannot be created or no descriptor is free. The log must outlive the client.
    static Result<std::unique_ptr<ThreadedClient>> start(ThreadedClientOptions options, Log& log);
    /// Sends pending messages within ThreadedClientOptions::linger, then closes the connection and joins the
    /// thread. Logs the number of unsent messages, if any.
    ~ThreadedClient();
    ThreadedClient(const ThreadedClient&) = delete;
    ThreadedClient& operator=(const ThreadedClient&) = delete;

    /// Like bus::Client::notify(), stamped with the time of the call. Fails with limit_exceeded if there is
    /// no room, and with timed_out if there was none within the time limit.
    Result<Pushed> notify(std::string_view key, double value, const bus::NotifyOptions& with = {});
    Result<Pushed> notify(std::string_view key, std::string_view value, const bus::NotifyOptions& with = {});
    Result<Pushed> notify(std::string_view key, ByteView value, const bus::NotifyOptions& with = {});

    /// Like those of bus::Client: registrations are kept across reconnects until they are removed.
    Result<void> register_variable(std::string_view key, Duration interval = Duration::zero());
    Result<void> unregister_variable(std::string_view key);
    Result<void> register_wildcard(std::string_view var_pattern, std::string_view app_pattern,
                                   Duration interval = Duration::zero());
    Result<void> unregister_wildcard(std::string_view var_pattern, std::string_view app_pattern);
    /// Blocks until the broker has answered. Fails with the errors of bus::Client::server_request().
    Result<std::vector<wire::Message>> server_request(std::string_view what,
                                                      Duration limit = std::chrono::seconds(5));

    /// Returns and removes the mail of all variables without a handler, in order of arrival.
    std::vector<wire::Message> fetch();
    /// Blocks until there is mail to fetch. Returns false if the limit has passed without any.
    bool wait_for_mail(Duration limit);
    /// Blocks until the client is connected. Returns false if the limit has passed before.
    bool wait_until_connected(Duration limit);
    /// Blocks until everything that was notified has been passed to the network. Returns false if the limit
    /// has passed before.
    bool wait_until_sent(Duration limit);

    /// Like those of bus::Client; handlers run on the client's thread.
    void on_mail(std::string_view key, bus::MailHandler handler);
    void on_connected(std::move_only_function<void()> handler);
    void on_disconnected(std::move_only_function<void(const Error&)> handler);
    /// Called when there is new mail to fetch.
    void on_queued(std::move_only_function<void()> handler);
    void on_refused(std::move_only_function<void(std::string_view)> handler);

    bool connected() const;
    /// Returns the number of messages to fetch.
    std::size_t unread() const;
    /// Returns the number of messages not yet passed to the network.
    std::size_t pending() const;
    /// Returns the number of messages lost because nothing has fetched them.
    std::uint64_t mail_lost() const;
    /// Returns the time stamp of a message written now: UNIX seconds, corrected by the skew that was known
    /// when a message was last sent or received.
    double stamp() const;
    /// Returns the counters of the client, plus the messages dropped or refused before they reached it.
    bus::ClientStats stats();

    /// Runs a function with the client on its thread and returns its result, for all other methods of
    /// bus::Client. Must not replace on_connected, on_disconnected, on_queued and on_sent, which are used
    /// internally.
    template <class Work>
    auto with_client(Work work) -> std::invoke_result_t<Work, bus::Client&> {
        using Outcome = std::invoke_result_t<Work, bus::Client&>;
        if constexpr (std::is_void_v<Outcome>) {
            run_and_wait([&] { work(client()); });
        } else {
            std::optional<Outcome> outcome;
            run_and_wait([&] { outcome.emplace(work(client())); });
            return std::move(*outcome);
        }
    }

private:
    explicit ThreadedClient(std::unique_ptr<ThreadedClientCore> core);
    /// Runs a task on the client's thread and waits for it; on that thread, runs it directly.
    void run_and_wait(Task task);
    /// Must only be called on the client's thread.
    bus::Client& client();

    std::unique_ptr<ThreadedClientCore> core_;
};

}  // namespace caribou
