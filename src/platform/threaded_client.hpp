#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/log.hpp"
#include "bus/client.hpp"
#include "platform/event_loop.hpp"
#include "platform/socket_network.hpp"

namespace caribou {

/// What notify() does when as much waits as ClientOptions::outbox allows.
enum class WhenOutboxFull {
    block,        ///< waits for room, at most ThreadedClientOptions::block_limit
    drop_oldest,  ///< the oldest makes room, and the caller is told
    refuse,       ///< the caller is told
};

struct ThreadedClientOptions {
    bus::ClientOptions client{};
    /// In place of client.outbox.when_full.
    WhenOutboxFull when_full = WhenOutboxFull::block;
    Duration block_limit = std::chrono::seconds(1);
    /// How long the destructor lets what waits be sent.
    Duration linger = std::chrono::seconds(1);
};

/// A bus client on a thread of its own, for programs that have their own main loop. Any thread may
/// call anything here except the destructor, for which all other calls must have ended. Callbacks
/// run on the client's thread; what waits (a full outbox, wait_for_mail, server_request) does not
/// wait there, it fails.
///
/// Does not use SharedInbox: that one wakes its loop for as long as anything is left, and here
/// messages are left on purpose while there is no connection.
class ThreadedClient {
public:
    /// Starts the client and its thread. Fails as bus::Client::start() does, and with unavailable
    /// if the machine gives no thread or no descriptor. The log outlives the client.
    static Result<std::unique_ptr<ThreadedClient>> start(ThreadedClientOptions options, Log& log);
    /// Sends what waits, within ThreadedClientOptions::linger, then ends connection and thread.
    /// Logs how many messages could not be sent, if any.
    ~ThreadedClient();
    ThreadedClient(const ThreadedClient&) = delete;
    ThreadedClient& operator=(const ThreadedClient&) = delete;

    /// As bus::Client::notify(), stamped with the time of the call. Fails with limit_exceeded when
    /// there is no room, and with timed_out when waiting for room took too long.
    Result<Pushed> notify(std::string_view key, double value, const bus::NotifyOptions& with = {});
    Result<Pushed> notify(std::string_view key, std::string_view value, const bus::NotifyOptions& with = {});
    Result<Pushed> notify(std::string_view key, ByteView value, const bus::NotifyOptions& with = {});

    Result<void> register_variable(std::string_view key, Duration interval = Duration::zero());
    Result<void> unregister_variable(std::string_view key);
    Result<void> register_wildcard(std::string_view app_pattern, std::string_view var_pattern,
                                   Duration interval = Duration::zero());
    Result<void> unregister_wildcard(std::string_view app_pattern, std::string_view var_pattern);
    /// Waits for the broker's answer. Fails as the handler of bus::Client::server_request() would.
    Result<std::vector<wire::Message>> server_request(std::string_view what,
                                                      Duration limit = std::chrono::seconds(5));

    /// Takes the mail of all variables without a handler of their own, in order of arrival.
    std::vector<wire::Message> fetch();
    /// Waits until there is something to fetch. False: there is not, and the limit has passed.
    bool wait_for_mail(Duration limit);
    /// Waits until the client is connected. False: it is not, and the limit has passed.
    bool wait_until_connected(Duration limit);

    /// As those of bus::Client, on the client's thread.
    void on_mail(std::string_view key, bus::MailHandler handler);
    void on_connected(std::move_only_function<void()> handler);
    void on_disconnected(std::move_only_function<void(const Error&)> handler);
    void on_refused(std::move_only_function<void(std::string_view)> handler);

    bool connected() const;
    /// Messages that were notified and not yet handed to the network.
    std::size_t pending() const;
    bus::ClientStats stats();

    /// Runs something with the client on its thread, and returns what it returns: for everything
    /// else that a bus::Client can do. What it sets with on_connected, on_disconnected, on_queued,
    /// on_sent or on_other_mail would take this class its own.
    template <class Work>
    auto with_client(Work work) -> std::invoke_result_t<Work, bus::Client&> {
        using Outcome = std::invoke_result_t<Work, bus::Client&>;
        if constexpr (std::is_void_v<Outcome>) {
            run_and_wait([&] { work(*client_); });
        } else {
            std::optional<Outcome> outcome;
            run_and_wait([&] { outcome.emplace(work(*client_)); });
            return std::move(*outcome);
        }
    }

private:
    ThreadedClient(ThreadedClientOptions options, Log& log);

    void run();
    bool on_own_thread() const;
    /// On the own thread the task runs at once.
    void run_and_wait(Task task);

    Result<Pushed> notify(wire::MessageView message, const bus::NotifyOptions& with);
    Result<Pushed> make_room(std::unique_lock<std::mutex>& lock, std::size_t size);
    bool fits(std::size_t size) const;

    // On the client's thread.
    void transfer();
    void hand_over(const wire::MessageView& message);
    void take_mail();
    void set_connected(bool connected);

    const ThreadedClientOptions options_;
    Log& log_;
    EventLoop loop_;
    SocketNetwork network_;
    const Clock& stamps_;
    std::optional<bus::Client> client_;  ///< for the client's thread only
    bus::Callback<> connected_handler_;
    bus::Callback<const Error&> disconnected_handler_;

    mutable std::mutex mutex_;      ///< guards all below
    std::condition_variable room_;  ///< something has left
    std::condition_variable news_;  ///< mail has come, or a connection
    bus::EncodedMessages outgoing_;
    bus::MailQueue mail_;
    std::size_t in_client_ = 0;  ///< messages that are handed over and not sent
    bool transfer_posted_ = false;
    bool connected_ = false;
    std::uint64_t refused_ = 0;
    std::uint64_t dropped_oldest_ = 0;
    std::uint64_t dropped_on_loss_ = 0;

    std::thread thread_;
};

}  // namespace caribou
