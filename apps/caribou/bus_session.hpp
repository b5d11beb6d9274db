#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include "base/result.hpp"
#include "bus/client.hpp"
#include "caribou/commands.hpp"
#include "platform/console_log.hpp"
#include "platform/event_loop.hpp"
#include "platform/socket_network.hpp"

namespace caribou::app {

/// Where a tool finds its broker, and what it is called there.
struct BusOptions {
    std::string host = "127.0.0.1";
    std::uint16_t port = 9000;
    std::string name{};  ///< empty: the command's and the process's number
    double wait = 0;     ///< seconds to wait for a broker that is not there yet
    const CLI::Option* host_option = nullptr;
    const CLI::Option* port_option = nullptr;
};

/// --host, --port, --name and --wait, with the names of MOOS as well.
void add_bus_options(CLI::App& parser, BusOptions& options);

/// Takes the mission files (*.moos, *.moos++, *.toml) out of the free words of a tool: `ServerHost` and
/// `ServerPort` of the last one are where the broker is, unless --host and --port are given. Fails if a file
/// cannot be read.
Result<void> take_mission_files(std::vector<std::string>& words, BusOptions& options);

/// Prints `caribou COMMAND: what` to standard error.
Exit complain(std::string_view command, std::string_view what, Exit how = Exit::usage);

/// A tool's connection: a loop that ends on Ctrl-C, and one client on it.
class BusSession {
public:
    /// `tuning`: what the tool needs of its client; name and broker come from `options`.
    BusSession(std::string_view command, const BusOptions& options, bus::ClientOptions tuning = {});
    BusSession(const BusSession&) = delete;
    BusSession& operator=(const BusSession&) = delete;

    /// Connects. unreachable: no broker answers, or it turns us away.
    Result<void> connect();
    /// Ends the loop, and with it run().
    void end(Exit how);
    void end_with(std::string_view complaint);
    /// Runs until end(), or until a signal comes, which is a good end.
    Exit run();

    Loop& loop() { return loop_; }
    EventLoop& event_loop() { return loop_; }
    bus::Client& client() { return client_; }
    /// Prints `caribou COMMAND: what` to standard error.
    Exit complain(std::string_view what, Exit how = Exit::failed) const;

private:
    std::string command_;
    double wait_;
    Exit how_ = Exit::ok;
    ConsoleLog log_{Level::warning};
    EventLoop loop_;
    SocketNetwork network_{loop_, log_};
    bus::Client client_;
    std::string refusal_;
};

}  // namespace caribou::app
