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

/// The address of a tool's broker, and the tool's name there.
struct BusOptions {
    std::string host = "127.0.0.1";
    std::uint16_t port = 9000;
    std::string name{};  ///< empty: the command's name and the process id
    double wait = 0;     ///< seconds to wait for a broker that is not running yet
    const CLI::Option* host_option = nullptr;
    const CLI::Option* port_option = nullptr;
};

/// Adds --host, --port, --name and --wait, also under their MOOS names.
void add_bus_options(CLI::App& parser, BusOptions& options);

/// Removes mission files (*.moos, *.moos++, *.toml) from the positional arguments of a tool: `ServerHost` and
/// `ServerPort` of the last one are the broker's address, unless --host and --port are given. Fails if a file
/// cannot be read.
Result<void> take_mission_files(std::vector<std::string>& words, BusOptions& options);

/// Prints `caribou COMMAND: error: what` to standard error and returns `how`.
Exit complain(std::string_view command, std::string_view what, Exit how = Exit::usage);

/// A tool's connection: a loop that ends on Ctrl-C, with one client.
class BusSession {
public:
    /// `tuning` sets the client's options, except for name and broker, which come from `options`.
    BusSession(std::string_view command, const BusOptions& options, bus::ClientOptions tuning = {});
    BusSession(const BusSession&) = delete;
    BusSession& operator=(const BusSession&) = delete;

    /// Connects. Fails with unreachable if no broker answers, or if it refuses the client.
    Result<void> connect();
    /// Ends the loop, and with it run().
    void end(Exit how);
    void end_with(std::string_view complaint);
    /// Runs until end() or a signal, which counts as success.
    Exit run();

    Loop& loop() { return loop_; }
    EventLoop& event_loop() { return loop_; }
    bus::Client& client() { return client_; }
    /// Prints `caribou COMMAND: error: what` to standard error and returns `how`.
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
