#pragma once

#include <chrono>
#include <cstddef>
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

/// What notify() does when as much waits as ClientOptions::outbox allows.
enum class WhenOutboxFull {
    block,        ///< waits for room, at most ThreadedClientOptions::block_limit
    drop_oldest,  ///< the oldest makes room, and the caller is told
    refuse,       ///< the caller is told
};

struct ThreadedClientOptions {
    bus::ClientOptions client{};  ///< an empty hostname is filled in
    /// In place of client.outbox.when_full.
    WhenOutboxFull when_full = WhenOutboxFull::block;
    Duration block_limit = std::chrono::seconds(1);
    /// How long the destructor lets what waits be sent.
    Duration linger = std::chrono::seconds(1);
};

class ThreadedClientCore;

/// A bus client on a thread of its own, for programs that have their own main loop. Any thread may
/// call anything here except the destructor, for which all other calls must have ended. Callbacks
/// run on the client's thread; what waits (a full outbox, wait_for_mail, server_request) does not
/// wait there, it fails.
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
    /// Called when there is something new to fetch.
    void on_queued(std::move_only_function<void()> handler);
    void on_refused(std::move_only_function<void(std::string_view)> handler);

    bool connected() const;
    /// Messages that wait to be fetched.
    std::size_t unread() const;
    /// Messages that were notified and not yet handed to the network.
    std::size_t pending() const;
    bus::ClientStats stats();

    /// Runs something with the client on its thread, and returns what it returns: for everything
    /// else that a bus::Client can do. on_connected, on_disconnected, on_queued and
    /// on_sent are taken: leave those of the client alone.
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
    /// Runs a task on the client's thread; on that thread at once.
    void run_and_wait(Task task);
    /// For the client's thread only.
    bus::Client& client();

    std::unique_ptr<ThreadedClientCore> core_;
};

}  // namespace caribou
