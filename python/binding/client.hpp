#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "message.hpp"
#include "platform/console_log.hpp"
#include "platform/threaded_client.hpp"
#include "platform/waiting_queue.hpp"

namespace caribou::python {

enum class News { connected, mail };
using NewsQueue = WaitingQueue<News>;
using ActiveQueue = WaitingQueue<wire::Message>;

/// A bus client from run() to close(), and how many calls are under way on it. The GIL guards it.
struct Run {
    std::unique_ptr<ThreadedClient> client;
    int under_way = 0;
    bool closing = false;
    WaitingQueue<bool> idle{1};  ///< tells close() that the last call is back
};

/// What caribou.comms stands on. Nothing here ever takes the GIL: what the client's thread hears
/// goes into queues, and threads of Python wait there. The GIL guards the fields; whatever may wait
/// lets go of it, and holds the bus client meanwhile, so that another thread may close this one.
class Client {
public:
    Client() = default;
    ~Client() { close(); }
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;

    /// Starts to connect. The queue tells what happens until close().
    std::shared_ptr<NewsQueue> run(const py::str& host, int port, const py::str& name);
    /// Sends what waits, for a second at most, and waits until no call is under way: a thread that
    /// came back from one when the interpreter has gone would end the program. False: it was not
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
    /// Brings a variable's mail to these queues, in place of fetch(); none: to fetch() again.
    void route(const py::str& key, std::vector<std::shared_ptr<ActiveQueue>> queues);

    py::list fetch();
    bool is_connected() const { return run_ && run_->client->connected(); }
    /// Raises KeyboardInterrupt at Ctrl-C, as everything that waits in Python.
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
    /// Runs something with the bus client and without the GIL; `otherwise` if there is no client.
    template <class Work, class Otherwise>
    auto with_client(Otherwise otherwise, Work work);
    template <class T>
    bool is_done(const Result<T>& result);

    ConsoleLog log_{Level::warning};
    std::string name_;
    std::shared_ptr<Run> run_;  ///< while it runs
    std::shared_ptr<NewsQueue> news_;
    std::map<std::string, Queues> routes_;
    std::set<std::string> published_;
    std::set<std::string> registered_;
};

}  // namespace caribou::python
