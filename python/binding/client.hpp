#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "kit/bus/threaded_client.hpp"
#include "message.hpp"
#include "platform/console_log.hpp"
#include "platform/waiting_queue.hpp"

namespace caribou::python {

/// An event for the Python threads of a client.
enum class News { connected, mail };
using NewsQueue = WaitingQueue<News>;
using ActiveQueue = WaitingQueue<wire::Message>;

/// A bus client between run() and close(), with the number of calls in progress. Guarded by the GIL.
struct Run {
    std::unique_ptr<ThreadedClient> client;
    int under_way = 0;
    bool closing = false;
    WaitingQueue<bool> idle{1};  ///< signals close() that the last call has returned
};

/// Implements caribou.comms. Nothing here takes the GIL on the client's thread: its events are put into
/// queues, on which Python threads wait. The GIL guards the members; a call that may block releases it and
/// keeps a reference to the bus client, so that another thread may call close().
class Client {
public:
    Client() = default;
    ~Client() { close(); }
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;

    /// Starts to connect. The queue receives events until close().
    std::shared_ptr<NewsQueue> run(const py::str& host, int port, const py::str& name);
    /// Sends pending messages, for at most a second, and waits until no call is in progress: a thread that
    /// returned from one after the interpreter's exit would end the program. Returns false if it was not
    /// running.
    bool close();
    bool is_running() const { return run_ != nullptr; }
    const std::string& name() const { return name_; }

    // These return false before run() and after close(), and when there is no room.
    bool notify(const py::str& key, const py::object& value, const py::str& aux, double time);
    bool register_variable(const py::str& key, double interval);
    bool register_wildcard(const py::str& var_pattern, const py::str& app_pattern, double interval);
    bool unregister_variable(const py::str& key);
    bool unregister_wildcard(const py::str& var_pattern, const py::str& app_pattern);
    /// Routes a variable's mail to these queues instead of fetch(); an empty list restores fetch().
    void route(const py::str& key, std::vector<std::shared_ptr<ActiveQueue>> queues);

    /// Returns the mail of all variables that are not routed to a queue.
    py::list fetch();
    bool is_connected() const { return run_ && run_->client->connected(); }
    /// Raises KeyboardInterrupt on Ctrl-C, like all blocking calls in Python.
    bool wait_until_connected(double milliseconds);
    std::string community();
    bus::ClientStats stats();
    std::size_t unread() const { return run_ ? run_->client->unread() : 0; }
    std::size_t unsent() const { return run_ ? run_->client->pending() : 0; }
    const std::set<std::string>& published() const { return published_; }
    const std::set<std::string>& registered() const { return registered_; }

private:
    using Queues = std::vector<std::shared_ptr<ActiveQueue>>;

    void apply_route(ThreadedClient& client, const std::string& key, const Queues& queues);
    /// Calls `work` with the bus client and without the GIL; returns `otherwise` if there is no client.
    template <class Work, class Otherwise>
    auto with_client(Otherwise otherwise, Work work);
    template <class T>
    bool is_done(const Result<T>& result);

    ConsoleLog log_{Level::warning};
    std::string name_;
    std::shared_ptr<Run> run_;  ///< while running
    std::shared_ptr<NewsQueue> news_;
    std::map<std::string, Queues> routes_;
    std::set<std::string> published_;
    std::set<std::string> registered_;
};

}  // namespace caribou::python
