#include "caribou/station_link.hpp"

#include <csignal>

#include <fmt/format.h>

#include "base/json_text.hpp"
#include "base/web_form.hpp"
#include "kit/program/number_from.hpp"
#include "platform/environment.hpp"
#include "platform/local_token.hpp"
#include "platform/web_socket.hpp"

namespace caribou::app {

using namespace std::chrono_literals;

/// A station disconnects programs that have sent one heartbeat and none since for 10 s.
constexpr Duration heartbeat_period = 1s;

void add_station_options(CLI::App& parser, StationOptions& options) {
    constexpr const char* group = "The station";
    parser.add_option("--station", options.at, "Address of its API")
        ->check(network_address())
        ->capture_default_str()
        ->envname("CARIBOU_STATION")
        ->group(group);
    parser
        .add_option("--token", options.token,
                    "Token that grants a role; a station of this user on this machine needs none")
        ->envname("CARIBOU_TOKEN")
        ->group(group);
}

StationLink::StationLink(std::string command, StationOptions options)
    : command_(std::move(command)),
      options_(std::move(options)),
      heartbeat_timer_(loop_.make_timer([this] { send_heartbeat(); })) {
    loop_.stop_on_signals({SIGINT, SIGTERM});
}

std::string StationLink::token_for(const Address& at) const {
    if (!options_.token.empty()) return options_.token;
    const auto found = find_local_token(at);
    // A stop needs no token. Other reasons are part of the answer to a command that needs one.
    if (!found && found.error().code == Code::malformed)
        fmt::print(stderr, "caribou {}: warning: {}; going on without a token\n", command_,
                   found.error().message);
    return found.value_or("");
}

void StationLink::dial(const Address& at, const std::string& token) {
    open_ = false;
    closed_.reset();
    picture_ = {};
    const std::string name = fmt::format("{}-{}", environment("USER").value_or("caribou"), command_);
    channel_ = dial_web_socket(loop_,
                               {.at = at,
                                .target = "/api/v1/stream?name=" + percent_encoded(name),
                                .authorization = token.empty() ? "" : "Bearer " + token},
                               *this);
    constexpr Duration open_limit = 5s;
    constexpr Duration picture_limit = 10s;
    if (loop_.run_until([&] { return closed_ || open_; }, open_limit) && open_)
        loop_.run_until([&] { return closed_ || picture_.complete(); }, picture_limit);
}

Result<void> StationLink::connect(Duration patience) {
    const auto at = Address::parse(options_.at);
    if (!at) return fail(Code::invalid_argument, "--station: " + at.error().message);
    const std::string token = token_for(*at);
    // Other accounts can keep a program from connecting to the port, but not to the socket.
    const auto socket = find_local_socket(*at);
    if (socket) dial(*socket, token);
    const bool needs_port = !socket || closed_;
    constexpr Duration pause = 20ms;
    int attempts = 0;
    for (const Instant end = loop_.clock().now() + patience; needs_port;) {
        ++attempts;
        dial(*at, token);
        const bool may_help = closed_ == closed_without_response || (closed_ && open_);
        if (picture_.complete() || !may_help || loop_.clock().now() >= end || loop_.stopped_by() != 0) break;
        loop_.run_until([] { return false; }, pause);
    }
    if (picture_.complete()) return {};
    if (!closed_)
        return fail(Code::timed_out,
                    fmt::format("the station at {} accepts connections and does not answer: it hangs, is "
                                "suspended, or is overloaded. No command has reached a robot.",
                                options_.at));
    if (closed_->contains("valid token"))
        return fail(Code::refused,
                    options_.token.empty()
                        ? fmt::format("the station at {} needs a token: give it with --token", options_.at)
                        : fmt::format("the token of --token is wrong for the station at {}", options_.at));
    if (closed_ == closed_without_response)
        return fail(Code::unreachable,
                    fmt::format("the station at {} closed the connection without a response, {} times in {} "
                                "s: it is overloaded, or not a station. No command has reached a robot.",
                                options_.at, attempts, to_seconds(patience)));
    return fail(
        Code::unreachable,
        fmt::format("no station answers at {} ({}). Start one with `caribou station`, or set its address "
                    "with --station.",
                    options_.at, *closed_));
}

void StationLink::on_open() {
    open_ = true;
    heartbeat_timer_->arm(loop_.clock().now() + heartbeat_period);
}

void StationLink::send_heartbeat() {
    ask_clock();
    heartbeat_timer_->arm(loop_.clock().now() + heartbeat_period);
}

void StationLink::on_text(std::string_view text) {
    if (auto taken = picture_.take(text); !taken) return on_closed(taken.error().message);
    if (const auto told = picture_.take_clock())
        clock_.learn(told->sent, told->at + told->stalled, loop_.clock().boot_seconds(), told->stalled);
    if (on_news_) on_news_();
}

void StationLink::on_closed(std::string_view why) {
    closed_ = std::string(why.substr(0, why.find('\n')));
    loop_.post([gone = std::move(channel_)] {});
    if (on_news_) on_news_();
}

std::uint64_t StationLink::request(std::string_view type, std::string_view fields) {
    const std::uint64_t id = next_id_++;
    if (channel_) channel_->send(fmt::format(R"({{"type":"{}","id":{},{}}})", type, id, fields));
    return id;
}

std::uint64_t StationLink::send_command(std::string_view robot, std::string_view command, double given) {
    const auto by_station = clock_.theirs_at(given);
    const std::string when =
        by_station ? fmt::format(R"("given":{})", json_fixed(*by_station, 6))
                   : fmt::format(R"("age":{})", json_fixed(loop_.clock().boot_seconds() - given, 3));
    return request("command", fmt::format(R"("robot":{},"command":{},{})", json_quoted(robot),
                                          json_quoted(command), when));
}

void StationLink::ask_clock() {
    if (channel_)
        channel_->send(
            fmt::format(R"({{"type":"heartbeat","sent":{}}})", json_fixed(loop_.clock().boot_seconds(), 6)));
}

void StationLink::measure_clock() {
    ask_clock();
    loop_.run_until([this] { return closed_ || clock_.theirs_at(0); }, 1s);
}

std::uint64_t StationLink::dismiss_stop(std::string_view robot) {
    return request("dismiss_stop", fmt::format(R"("robot":{})", json_quoted(robot)));
}

std::uint64_t StationLink::stop_all(std::string_view group) {
    return request("stop_all", fmt::format(R"("group":{})", json_quoted(group)));
}

std::uint64_t StationLink::send_route(std::string_view robot, std::string_view action,
                                      std::string_view route) {
    return request("route", fmt::format(R"("robot":{},"action":"{}","route":{})", json_quoted(robot), action,
                                        json_quoted(route)));
}

std::uint64_t StationLink::send_record(std::string_view action, std::string_view name) {
    return request("record", fmt::format(R"("action":"{}","name":{})", action, json_quoted(name)));
}

void StationLink::watch(std::string_view robot, double rate) {
    if (channel_)
        channel_->send(
            fmt::format(R"({{"type":"watch","robots":[{}],"rate":{}}})", json_quoted(robot), rate));
}

void StationLink::end(Exit how) {
    how_ = how;
    loop_.stop();
}

Exit StationLink::run() {
    loop_.run();
    return how_;
}

Exit StationLink::complain(std::string_view what, Exit how) const {
    fmt::print(stderr, "caribou {}: {}\n", command_, what);
    return how;
}

}  // namespace caribou::app
