#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <CLI/CLI.hpp>

#include "base/result.hpp"
#include "caribou/commands.hpp"
#include "link/peer_clock.hpp"
#include "loop/address.hpp"
#include "loop/text_channel.hpp"
#include "platform/event_loop.hpp"
#include "station/fleet_picture.hpp"

namespace caribou::app {

/// The address of a tool's station, and its token.
struct StationOptions {
    std::string at = "127.0.0.1:9680";
    std::string token{};
};
/// Adds --station and --token.
void add_station_options(CLI::App& parser, StationOptions& options);

/// A tool's connection to a station: a loop that ends on Ctrl-C, and the state received from the station.
class StationLink final : TextChannelEvents {
public:
    StationLink(std::string command, StationOptions options);
    StationLink(const StationLink&) = delete;
    StationLink& operator=(const StationLink&) = delete;

    /// Connects, and waits for the first complete state. A connection that the station closes before that,
    /// because it is overloaded, is tried again for `patience`. May be called again if the station
    /// was lost.
    Result<void> connect(Duration patience = std::chrono::seconds(2));
    /// Sets the handler that is called after each message, when the state is up to date, and when the station
    /// is lost.
    void on_news(std::function<void()> handler) { on_news_ = std::move(handler); }
    bool connected() const { return channel_ != nullptr; }
    station::FleetPicture& picture() { return picture_; }

    /// Returns the id of the request. `given` is the time at which the command was given, by our
    /// Clock::boot_seconds().
    std::uint64_t send_command(std::string_view robot, std::string_view command, double given);
    /// Returns the time at which the program was called, by our Clock::boot_seconds().
    double called() const { return called_; }
    /// Requests the station's time and waits for the reply, for at most one second. After it, send_command()
    /// states when commands were given by the station's clock.
    void measure_clock();
    std::uint64_t dismiss_stop(std::string_view robot);
    std::uint64_t stop_all(std::string_view group);
    std::uint64_t send_route(std::string_view robot, std::string_view action, std::string_view route);
    std::uint64_t send_record(std::string_view action, std::string_view name);
    void watch(std::string_view robot, double rate);

    EventLoop& loop() { return loop_; }
    void end(Exit how);
    /// Runs until end() or a signal.
    Exit run();
    Exit complain(std::string_view what, Exit how = Exit::failed) const;

private:
    /// Connects once, and waits for the first complete state, or until the connection is closed.
    void dial(const Address& at, const std::string& token);
    /// Returns the token to use, empty if there is none.
    std::string token_for(const Address& at) const;
    void on_open() override;
    /// Sends a heartbeat, which the station answers with its time.
    void ask_clock();
    void send_heartbeat();
    void on_text(std::string_view text) override;
    void on_closed(std::string_view why) override;
    std::uint64_t request(std::string_view type, std::string_view fields);

    std::string command_;
    StationOptions options_;
    Exit how_ = Exit::ok;
    EventLoop loop_;
    std::unique_ptr<TextChannel> channel_;
    station::FleetPicture picture_;
    bool open_ = false;
    std::optional<std::string> closed_;
    std::function<void()> on_news_;
    std::uint64_t next_id_ = 1;
    link::PeerClock clock_;
    std::unique_ptr<Timer> heartbeat_timer_;
    const double called_ = loop_.clock().boot_seconds();
};

}  // namespace caribou::app
