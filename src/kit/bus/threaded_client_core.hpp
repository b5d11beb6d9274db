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
#include "kit/bus/threaded_client.hpp"
#include "platform/event_loop.hpp"
#include "platform/socket_network.hpp"

namespace caribou {

/// The thread behind ThreadedClient, which documents the contracts of the calls. Messages wait here, under
/// the lock, and are passed to the client as fast as it sends them: so drop_oldest can drop nearly all of
/// them, and block knows when there is room. (SharedInbox is not suitable: it wakes its loop as long as items
/// are left, which is always the case without a connection.)
class ThreadedClientCore {
public:
    ThreadedClientCore(ThreadedClientOptions options, Log& log);
    ~ThreadedClientCore();
    ThreadedClientCore(const ThreadedClientCore&) = delete;
    ThreadedClientCore& operator=(const ThreadedClientCore&) = delete;

    /// Must be called once, before anything else. Throws std::system_error if the thread cannot be created.
    Result<void> start();

    Result<Pushed> notify(wire::MessageView message, const bus::NotifyOptions& with);
    std::vector<wire::Message> fetch();
    bool wait_for_mail(Duration limit);
    bool wait_until_connected(Duration limit);
    bool wait_until_sent(Duration limit);
    bool connected() const;
    std::uint64_t mail_lost() const;
    double stamp() const;
    std::size_t unread() const;
    std::size_t pending() const;
    /// Adds the messages counted here.
    void add_to(bus::ClientStats& stats) const;

    bool on_own_thread() const;
    void run_and_wait(Task task);
    // Must only be called on the client's thread.
    bus::Client& client() { return *client_; }
    bus::Callback<>& connected_handler() { return connected_handler_; }
    bus::Callback<const Error&>& disconnected_handler() { return disconnected_handler_; }
    bus::Callback<>& queued_handler() { return queued_handler_; }

private:
    void run();
    Result<Pushed> make_room(std::unique_lock<std::mutex>& lock, std::size_t size);
    bool fits(std::size_t size) const;

    // Run on the client's thread.
    void transfer();
    void hand_over(const wire::MessageView& message);
    void take_mail();
    void set_connected(bool connected);
    void note_skew();

    const ThreadedClientOptions options_;
    Log& log_;
    EventLoop loop_;
    SocketNetwork network_;
    const Clock& stamps_;
    std::optional<bus::Client> client_;  ///< used on the client's thread only
    bus::Callback<> connected_handler_;
    bus::Callback<const Error&> disconnected_handler_;
    bus::Callback<> queued_handler_;

    mutable std::mutex mutex_;      ///< guards all members below
    std::condition_variable room_;  ///< a message was sent
    std::condition_variable news_;  ///< mail or a connection has arrived
    bus::EncodedMessages outgoing_;
    bus::MailQueue mail_;
    std::size_t in_client_ = 0;  ///< messages passed to the client and not yet sent
    bool transfer_posted_ = false;
    bool connected_ = false;
    double skew_ = 0;                   ///< correction of time stamps, as of the last message
    std::uint64_t lost_in_client_ = 0;  ///< mail that did not fit into the client's own queue
    std::uint64_t refused_ = 0;
    std::uint64_t dropped_oldest_ = 0;
    std::uint64_t dropped_on_loss_ = 0;

    std::thread thread_;
};

}  // namespace caribou
