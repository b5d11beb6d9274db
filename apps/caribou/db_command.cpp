// `caribou db`: the broker.

#include <csignal>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "bus/broker_server.hpp"
#include "bus/broker_settings.hpp"
#include "bus/mission.hpp"
#include "caribou/broker_windows.hpp"
#include "caribou/commands.hpp"
#include "caribou/named_limits.hpp"
#include "caribou/response_pauses.hpp"
#include "caribou/tls_door.hpp"
#include "caribou/value_store.hpp"
#include "kit/bus/mission_reader.hpp"
#include "kit/program/key_place.hpp"
#include "kit/program/number_from.hpp"
#include "platform/console_log.hpp"
#include "platform/descriptor_limit.hpp"
#include "platform/event_loop.hpp"
#include "platform/hostname.hpp"
#include "platform/socket_network.hpp"

namespace caribou::app {
namespace {

/// Options of MOOSDB that launch scripts may contain and that have no effect here.
struct Foreign {
    const char* names;
    const char* why;
    bool takes_value;
};
constexpr Foreign foreign_options[] = {
    {"-s,--single_threaded", "all clients are always served by one thread", false},
    {"-b,--moos_boost", "set priorities with the tools of the system", false},
    {"-d,--dns", "clients are identified by their addresses", false},
    {"--tcpnodelay", "small packets are always sent at once", false},
    {"--print_heart_beat", "use `caribou db --verbose`", false},
    {"--moos_no_colour", "colors are used on terminals only", false},
    {"--multiplied-stamps", "under a time warp, stamps are always multiplied", false},
    {"--moos_file", "the mission file is the first argument", true},
    {"--moos_suicide_channel", "the program only ends on signals", true},
    {"--moos_suicide_port", "the program only ends on signals", true},
    {"--moos_suicide_phrase", "the program only ends on signals", true},
    {"--moos_suicide_disable", "the program only ends on signals", false},
    {"--moos_suicide_print", "the program only ends on signals", false},
};

class DbCommand final : public Command {
public:
    CLI::App* add_to(CLI::App& program) override;
    Exit run() override;

private:
    /// Fills in options from the mission file that were not given on the command line.
    Result<std::vector<std::string>> take_mission();
    bool is_given(const char* option) const { return parser_->get_option(option)->count() > 0; }
    Result<bus::BrokerServer::Options> server_options() const;
    Result<std::vector<Address>> addresses() const;
    Exit serve(const bus::BrokerServer::Options& options, const std::vector<Address>& at,
               const std::vector<std::string>& warnings);

    CLI::App* parser_ = nullptr;
    std::string mission_;
    std::string moos_name_;
    std::vector<std::pair<CLI::Option*, const char*>> foreign_;
    std::uint16_t port_ = 9000;
    std::string community_ = "#1";
    std::vector<std::string> listen_{"127.0.0.1"};
    std::string unix_path_;
    bool insecure_lan_ = false;
    std::string tls_;
    KeyPlace keys_;
    double time_warp_ = 1;
    double timeout_ = 5;
    std::string response_;
    double warning_latency_ = 50;
    bool strict_ = false;
    std::vector<std::string> allowed_sources_;
    std::vector<std::string> limits_;
    std::string data_;
    std::string durability_ = "batched";
    WindowOptions windows_;
    bool verbose_ = false;
    bool quiet_ = false;
};

CLI::App* DbCommand::add_to(CLI::App& program) {
    parser_ = program.add_subcommand("db", "Run the broker, for programs of Caribou and MOOS");
    parser_->add_option(
        "MISSION", mission_,
        "Mission file, for settings not given on the command line (default: Mission.moos, if it exists)");
    parser_->add_option("NAME", moos_name_, "Name that pAntler passes after the mission file; no effect");
    parser_->add_option("-p,--port,--moos_port", port_, "TCP port to listen on; 0: any free port")
        ->capture_default_str()
        ->check(number_from(0, 65535));
    parser_->add_option("-c,--community,--moos_community", community_, "Name of the community")
        ->capture_default_str();
    parser_
        ->add_option(
            "-l,--listen", listen_,
            "Address to listen on; may be repeated. Addresses other than loopback require --insecure-lan")
        ->capture_default_str();
    parser_->add_option("--unix", unix_path_, "Also listen on a Unix socket at this path");
    parser_->add_flag(
        "--insecure-lan", insecure_lan_,
        "Permit --listen addresses at which other machines can read and write everything, unencrypted");
    auto* const tls =
        parser_->add_option("--tls", tls_,
                            "Also listen with TLS for clients with a key: PORT, or ADDRESS:PORT "
                            "(create keys with `caribou pair`, connect programs with "
                            "`caribou tunnel`)");
    keys_.add_to(*parser_)->needs(tls);
    parser_
        ->add_option("--timeout,--moos_timeout", timeout_,
                     "Seconds of silence after which a client is disconnected")
        ->capture_default_str()
        ->check(number_from(0.1, 86400));
    parser_
        ->add_option("--time-warp,--moos_time_warp", time_warp_,
                     "Time warp: how many times faster time runs, up to 400")
        ->capture_default_str()
        ->check(number_from(0, 400));
    parser_->add_option("--response", response_,
                        "Pause of clients after each send: [PATTERN:]MS,… (the first match is used)");
    parser_
        ->add_option("--warning-latency,--warning_latency", warning_latency_,
                     "Milliseconds after which a late heartbeat is reported")
        ->capture_default_str()
        ->check(number_from(0, 1e6));
    parser_->add_flag("--strict", strict_, "Refuse values written under another client's name");
    parser_
        ->add_option("--allow-source", allowed_sources_,
                     "With --strict, names that other clients may write under")
        ->delimiter(',');
    parser_->add_option("--limit", limits_, "Set a limit, NAME=VALUE; may be repeated (see below)");
    parser_->add_option("--data", data_, "Store values in this directory, and restore them at the start");
    parser_
        ->add_option(
            "--durability", durability_,
            "With --data: `batched` may lose the last 100 ms on a power failure; with `always` a value is "
            "delivered only after it is stored")
        ->check(one_of({"batched", "always"}))
        ->option_text("batched|always")
        ->needs("--data");
    parser_
        ->add_option("--web,--webserver_port", windows_.web_port,
                     "Port of a web page on this machine with all variables; 0: any free port")
        ->check(number_from(0, 65535));
    parser_
        ->add_option("--audit,--audit_port", windows_.audit_port,
                     "UDP port on this machine that receives a table of all traffic every second")
        ->check(number_from(1, 65535));
    parser_->add_option("--event-log,--event_log", windows_.event_log,
                        "File for connects, disconnects and notices, one line each");
    parser_->add_flag("-v,--verbose", verbose_, "Verbose output");
    parser_->add_flag("-q,--quiet", quiet_, "Only warnings");
    parser_->set_version_flag("--version,--moos_print_version", "caribou " CARIBOU_VERSION);
    for (const Foreign& option : foreign_options) {
        CLI::Option* added =
            option.takes_value ? parser_->add_option(option.names) : parser_->add_flag(option.names);
        foreign_.emplace_back(added->group("Accepted for launch scripts of MOOSDB, no effect"), option.why);
        added->description(option.why);
    }
    parser_->footer("Limits and their defaults (docs/broker.md explains each):\n" + describe_limits({}));
    return parser_;
}

Result<std::vector<std::string>> DbCommand::take_mission() {
    const auto mission = read_mission_file(mission_.empty() ? "Mission.moos" : mission_);
    if (!mission && mission_.empty() && mission.error().code == Code::not_found)
        return std::vector<std::string>{};
    if (!mission) return fail(mission.error());
    bus::BrokerSettings said;
    bus::Parameters keys;
    declare(keys, said);
    auto findings = mission->findings;
    for (auto& finding : keys.fill(mission->settings, bus::UnknownKeys::question))
        findings.push_back(std::move(finding));
    if (bus::has_errors(findings))
        return fail(Code::invalid_argument, bus::error_lines(mission->path, findings));

    const auto take = [&](const char* key, const char* option, const auto& value, auto& into) {
        if (keys.is_set(key) && !is_given(option))
            into = static_cast<std::remove_reference_t<decltype(into)>>(value);
    };
    take("ServerPort", "--port", said.server_port, port_);
    take("Community", "--community", said.community, community_);
    take("MOOSTimeWarp", "--time-warp", said.time_warp, time_warp_);
    take("ClientTimeout", "--timeout", said.client_timeout, timeout_);
    take("WarningLatency", "--warning-latency", said.warning_latency, warning_latency_);
    if (said.web_server_port > 0 && !windows_.web_port)
        windows_.web_port = static_cast<std::uint16_t>(said.web_server_port);
    if (windows_.web_port) {
        windows_.marine = marine_view_config(*mission);
        findings.insert(findings.end(), windows_.marine->findings.begin(), windows_.marine->findings.end());
    }
    std::vector<std::string> warnings;
    warnings.reserve(findings.size() + 1);
    for (const auto& finding : findings) warnings.push_back(bus::to_string(mission->path, finding));
    if (said.no_network)
        warnings.emplace_back("NoNetwork has no effect: other machines can only connect through --listen");
    return warnings;
}

Result<bus::BrokerServer::Options> DbCommand::server_options() const {
    bus::BrokerServer::Options options;
    options.broker.community = community_;
    options.broker.hostname = hostname();
    options.broker.strict = strict_;
    options.broker.allowed_sources = allowed_sources_;
    options.broker.warning_latency = from_seconds(warning_latency_ / 1000);
    options.broker.limits.client_timeout = from_seconds(timeout_);
    for (const std::string& limit : limits_)
        if (auto set = set_limit(options.broker.limits, limit); !set)
            return fail(Code::invalid_argument, "--limit: " + set.error().message);
    auto response = parse_response_pauses(response_);
    if (!response) return fail(Code::invalid_argument, "--response: " + response.error().message);
    options.broker.response = std::move(*response);
    auto warp = Warp::make(time_warp_);
    if (!warp) return fail(Code::invalid_argument, "--time-warp: " + warp.error().message);
    options.warp = *warp;
    return options;
}

Result<std::vector<Address>> DbCommand::addresses() const {
    std::vector<Address> all;
    for (const std::string& host : listen_) {
        if (!Address::parse(host.find(':') == std::string::npos ? host + ":1" : "[" + host + "]:1"))
            return fail(Code::invalid_argument,
                        fmt::format("--listen: `{}` is not an address, such as 127.0.0.1", host));
        const Address address = Address::ip(host, port_);
        if (!address.is_loopback() && !insecure_lan_)
            return fail(Code::refused,
                        fmt::format("{} can be reached from other machines, which could read and write "
                                    "everything. If that is intended, add --insecure-lan.",
                                    host));
        all.push_back(address);
    }
    if (!unix_path_.empty()) all.push_back(Address::unix_path(unix_path_));
    return all;
}

Exit DbCommand::run() {
    const auto warnings = take_mission();
    if (!warnings) {
        fmt::print(stderr, "caribou db: {}\n", warnings.error().message);
        return Exit::failed;
    }
    const auto options = server_options();
    const auto at = addresses();
    const auto tls = tls_address(tls_.empty() ? "0" : tls_);
    for (const auto* error :
         {options ? nullptr : &options.error(), at ? nullptr : &at.error(), tls ? nullptr : &tls.error()}) {
        if (!error) continue;
        fmt::print(stderr, "caribou db: error: {}\n", error->message);
        return Exit::usage;
    }
    return serve(*options, *at, *warnings);
}

Exit DbCommand::serve(const bus::BrokerServer::Options& options, const std::vector<Address>& at,
                      const std::vector<std::string>& warnings) {
    ConsoleLog log(quiet_ ? Level::warning : verbose_ ? Level::debug : Level::info);
    for (const std::string& warning : warnings) log.warning(warning);
    for (const auto& [option, why] : foreign_)
        if (option->count() > 0)
            log.warning(fmt::format("{} has no effect here: {}", option->get_name(), why));
    if (auto raised = raise_descriptor_limit(); !raised) log.warning(raised.error().message);

    EventLoop loop;
    loop.stop_on_signals({SIGINT, SIGTERM});
    std::unique_ptr<ValueStore> store;
    if (!data_.empty()) {
        auto opened = ValueStore::open(data_, log);
        if (!opened) {
            fmt::print(stderr, "caribou db: error: --data: {}\n", opened.error().message);
            return Exit::failed;
        }
        store = std::move(*opened);
    }
    SocketNetwork network(
        loop, log, {.streams_below_listeners = bus::broker_descriptors(options.broker.limits.max_clients)});
    std::optional<TlsDoor> door;
    if (!tls_.empty()) door.emplace(loop, network, keys_.folder(), log);
    bus::BrokerServer server(loop, network, options, log);
    if (store)
        store->serve(loop, server,
                     durability_ == "always" ? bus::Durability::always : bus::Durability::batched);
    WindowOptions window_options = windows_;
    window_options.time_warp = time_warp_;
    const auto windows = BrokerWindows::open(window_options, loop, network, server, log);
    if (!windows) {
        fmt::print(stderr, "caribou db: error: {}\n", windows.error().message);
        return Exit::failed;
    }
    for (const Address& address : at) {
        const auto bound = server.listen(address);
        if (!bound) {
            fmt::print(stderr, "caribou db: error: {}\n", bound.error().message);
            return Exit::failed;
        }
        // Scripts parse the port from this line.
        fmt::print("caribou db: community {} at {}\n", community_, to_string(*bound));
    }
    if (door) {
        const auto bound = server.listen(*tls_address(tls_), door->network());
        if (!bound) {
            fmt::print(stderr, "caribou db: error: --tls: {}\n", bound.error().message);
            return Exit::failed;
        }
        fmt::print("caribou db: TLS at {}\n", to_string(*bound));
    }
    if (const auto web = (*windows)->web_address()) {
        fmt::print("caribou db: web page at http://{}/\n", to_string(*web));
        const bool has_view = windows_.marine && windows_.marine->geodesy;
        if (has_view && (*windows)->has_marine_files())
            fmt::print("caribou db: marine view at http://{}/marine\n", to_string(*web));
        else if (has_view)
            fmt::print("caribou db: no marine view: the files of the page are not installed\n");
    }
    std::fflush(stdout);
    loop.run();
    server.stop([&loop] { loop.stop(); });
    loop.run();
    if (bus::Journal* journal = server.journal()) journal->finish();
    log.info("ended by a signal");
    return Exit::ok;
}

}  // namespace

std::unique_ptr<Command> make_db_command() { return std::make_unique<DbCommand>(); }

}  // namespace caribou::app
