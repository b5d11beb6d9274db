#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "bus/callback.hpp"
#include "bus/client.hpp"
#include "bus/encoded_messages.hpp"
#include "platform/event_loop.hpp"
#include "platform/socket_network.hpp"
#include "platform/threaded_client.hpp"

namespace caribou {

/// The thread behind a ThreadedClient, which says what the calls promise. What was notified waits
/// here, under the lock, and is handed to the client as fast as that sends: so drop_oldest reaches
/// nearly all of it, and block knows when there is room. (SharedInbox does not serve here: it
/// wakes its loop for as long as anything is left, and without a connection things are left.)
class ThreadedClientCore {
public:
    ThreadedClientCore(ThreadedClientOptions options, Log& log);
    ~ThreadedClientCore();
    ThreadedClientCore(const ThreadedClientCore&) = delete;
    ThreadedClientCore& operator=(const ThreadedClientCore&) = delete;

    /// Once, before anything else. Throws std::system_error if there is no thread to be had.
    Result<void> start();

    Result<Pushed> notify(wire::MessageView message, const bus::NotifyOptions& with);
    std::vector<wire::Message> fetch();
    bool wait_for_mail(Duration limit);
    bool wait_until_connected(Duration limit);
    bool connected() const;
    std::size_t unread() const;
    std::size_t pending() const;
    /// Adds what was counted here.
    void add_to(bus::ClientStats& stats) const;

    bool on_own_thread() const;
    void run_and_wait(Task task);
    // For the client's thread only.
    bus::Client& client() { return *client_; }
    bus::Callback<>& connected_handler() { return connected_handler_; }
    bus::Callback<const Error&>& disconnected_handler() { return disconnected_handler_; }
    bus::Callback<>& queued_handler() { return queued_handler_; }

private:
    void run();
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
    bus::Callback<> queued_handler_;

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
