#include "caribou/bus_session.hpp"

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>

#include <fmt/format.h>

#include "base/number_text.hpp"
#include "caribou/program_as_started.hpp"
#include "kit/bus/mission_reader.hpp"
#include "kit/program/number_from.hpp"
#include "platform/hostname.hpp"

namespace caribou::app {
namespace {

bus::ClientOptions client_options(std::string_view command, const BusOptions& options,
                                  bus::ClientOptions tuning) {
    tuning.name = options.name.empty() ? fmt::format("{}_{}", command, ::getpid()) : options.name;
    constexpr std::string_view unix_socket = "unix:";
    tuning.broker = options.host.starts_with(unix_socket)
                        ? Address::unix_path(options.host.substr(unix_socket.size()))
                        : Address::ip(options.host, options.port);
    tuning.hostname = hostname();
    tuning.adopt_warp = true;
    return tuning;
}

bool is_mission(std::string_view word) {
    return word.ends_with(".moos") || word.ends_with(".moos++") || word.ends_with(".toml");
}

/// Returns whether a word is a mistyped mission file, as alpha.mos.
bool is_nearly_mission(std::string_view word) {
    const std::string_view end = word.substr(std::min(word.rfind('.'), word.size()));
    return end.starts_with(".mo") && end.find_first_not_of("os+", 2) == std::string_view::npos &&
           !word.contains('=');
}

}  // namespace

void add_bus_options(CLI::App& parser, BusOptions& options) {
    constexpr const char* group = "The broker";
    options.host_option =
        parser
            .add_option("--host,--moos_host", options.host, "Host of the broker, or unix:PATH of its socket")
            ->capture_default_str()
            ->group(group);
    options.port_option = parser.add_option("-p,--port,--moos_port", options.port, "TCP port of the broker")
                              ->capture_default_str()
                              ->check(number_from(1, 65535))
                              ->group(group);
    parser
        .add_option("--name,--moos_name", options.name,
                    "Name of this client; by default the command and the process id")
        ->group(group);
    parser.add_option("--wait", options.wait, "Seconds to wait for a broker that is not running yet")
        ->capture_default_str()
        ->check(number_from(0, 86400))
        ->group(group);
}

Result<void> take_mission_files(std::vector<std::string>& words, BusOptions& options) {
    for (const std::string& word : words) {
        if (!is_mission(word) && is_nearly_mission(word))
            return fail(Code::invalid_argument,
                        fmt::format("{}: expected a mission file to end in .moos, .moos++ or .toml", word));
        if (!is_mission(word)) continue;
        const auto mission = read_mission_file(word);
        if (!mission) return fail(mission.error());
        if (const auto* host = mission->find("ServerHost"); host && options.host_option->count() == 0)
            options.host = host->value;
        const auto* port = mission->find("ServerPort");
        if (!port || options.port_option->count() > 0) continue;
        const auto number = number_in(port->value);
        if (!number || *number < 1 || *number > 65535)
            return fail(Code::invalid_argument,
                        fmt::format("{}:{}: ServerPort is `{}`; expected a number from 1 to 65535", word,
                                    port->line, port->value));
        options.port = static_cast<std::uint16_t>(*number);
    }
    std::erase_if(words, is_mission);
    return {};
}

BusSession::BusSession(std::string_view command, const BusOptions& options, bus::ClientOptions tuning)
    : command_(command),
      wait_(options.wait),
      client_(loop_, network_, client_options(command, options, std::move(tuning))) {
    loop_.stop_on_signals({SIGINT, SIGTERM});
    client_.on_refused([this](std::string_view words) { refusal_ = words; });
}

Result<void> BusSession::connect() {
    if (auto started = client_.start(); !started) return started;
    const Instant last = loop_.clock().now() + from_seconds(wait_);
    const auto decided = [&] {
        if (client_.connected() || !refusal_.empty()) return true;
        return client_.last_error() && loop_.clock().now() >= last;
    };
    const auto& options = client_.options();
    if (loop_.run_until(decided, from_seconds(wait_) + options.connect_limit + options.handshake_limit) &&
        client_.connected())
        return {};
    const std::string place = to_string(options.broker);
    if (!refusal_.empty())
        return fail(Code::unreachable,
                    fmt::format("the broker at {} refuses this client: {}", place, refusal_));
    const auto& error = client_.last_error();
    return fail(Code::unreachable,
                fmt::format("no broker answers at {}{}. Start one with `{} db`, or set its address with "
                            "--host and --port.",
                            place, error ? fmt::format(" ({})", error->message) : "", program_as_started()));
}

void BusSession::end(Exit how) {
    how_ = how;
    loop_.stop();
}

void BusSession::end_with(std::string_view complaint) { end(complain(complaint)); }

Exit BusSession::run() {
    loop_.run();
    return how_;
}

Exit BusSession::complain(std::string_view what, Exit how) const {
    return app::complain(command_, what, how);
}

Exit complain(std::string_view command, std::string_view what, Exit how) {
    fmt::print(stderr, "caribou {}: error: {}\n", command, what);
    return how;
}

}  // namespace caribou::app
