// `caribou tunnel`: a local port without encryption that forwards to a broker's TLS port.

#include <csignal>
#include <cstdio>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "adapters/openssl/tls_network.hpp"
#include "caribou/commands.hpp"
#include "kit/program/key_place.hpp"
#include "kit/program/number_from.hpp"
#include "link/tunnel.hpp"
#include "platform/console_log.hpp"
#include "platform/event_loop.hpp"
#include "platform/socket_network.hpp"

namespace caribou::app {
namespace {

/// Connects once, to check the key.
class Trial final : public StreamEvents {
public:
    void on_open() override { over = true; }
    void on_readable() override {}
    void on_writable() override {}
    void on_connect_failed(const Error& why) override {
        over = true;
        failure = why;
    }

    bool over = false;
    std::optional<Error> failure;
};

class TunnelCommand final : public Command {
public:
    CLI::App* add_to(CLI::App& program) override {
        CLI::App* const parser =
            program.add_subcommand("tunnel", "Forward a local port to a broker on another machine, over TLS");
        parser->add_option("--to", to_, "HOST:PORT of `caribou db --tls`")
            ->required()
            ->check(network_address());
        parser->add_option("--key", key_, "Name of the key, as in `caribou pair list`")->required();
        place_.add_to(*parser);
        parser->add_option("-p,--port", port_, "Local port to listen on; 0: any free port")
            ->capture_default_str()
            ->check(number_from(0, 65535));
        parser->add_flag("-q,--quiet", quiet_, "Only warnings");
        parser->footer(
            "Example:\n"
            "  caribou tunnel --to vehicle:9443 --key vehicle     MOOS programs here connect to "
            "127.0.0.1:9000\n"
            "All programs on this machine can use the tunnel, and no others. See docs/broker.md.");
        return parser;
    }

    Exit run() override {
        const auto to = Address::parse(to_);
        if (!to) return complain(to.error(), Exit::usage);
        const auto key = place_.folder().read(key_);
        if (!key) return complain(key.error(), Exit::failed);

        ConsoleLog log(quiet_ ? Level::warning : Level::info);
        EventLoop loop;
        loop.stop_on_signals({SIGINT, SIGTERM});
        SocketNetwork sockets(loop, log);
        TlsNetwork tls(loop, sockets, log, {.own_key = key->key});
        if (const auto refused = refusal(loop, tls, *to, log)) return complain(*refused, Exit::failed);
        link::Tunnel tunnel({.near = sockets, .far = tls}, *to, log);
        const auto at = tunnel.open(Address::ip("127.0.0.1", port_));
        if (!at) return complain(at.error(), Exit::failed);
        // Scripts parse the port from this line.
        fmt::print("caribou tunnel: to {} at {}\n", to_string(*to), to_string(*at));
        std::fflush(stdout);
        loop.run();
        return Exit::ok;
    }

private:
    static Exit complain(const Error& why, Exit exit) {
        fmt::print(stderr, "caribou tunnel: error: {}\n", why.message);
        return exit;
    }

    /// An unreachable broker is retried; a refusal is permanent.
    static std::optional<Error> refusal(EventLoop& loop, TlsNetwork& tls, const Address& to, Log& log) {
        Trial trial;
        const auto stream = tls.connect(to, trial);
        loop.run_until([&] { return trial.over; }, std::chrono::seconds(30));
        if (!trial.failure) return std::nullopt;
        if (trial.failure->code == Code::refused || trial.failure->code == Code::malformed)
            return trial.failure;
        log.warning(fmt::format("{}; retrying", trial.failure->message));
        return std::nullopt;
    }

    std::string to_;
    std::string key_;
    KeyPlace place_;
    std::uint16_t port_ = 9000;
    bool quiet_ = false;
};

}  // namespace

std::unique_ptr<Command> make_tunnel_command() { return std::make_unique<TunnelCommand>(); }

}  // namespace caribou::app
