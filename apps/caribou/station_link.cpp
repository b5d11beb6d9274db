#include "caribou/station_link.hpp"

#include <csignal>

#include <fmt/format.h>

#include "base/json_text.hpp"
#include "base/web_form.hpp"
#include "platform/environment.hpp"
#include "platform/local_token.hpp"
#include "platform/web_socket.hpp"

namespace caribou::app {

using namespace std::chrono_literals;

void add_station_options(CLI::App& parser, StationOptions& options) {
    constexpr const char* group = "The station";
    parser.add_option("--station", options.at, "Where it listens for programs")
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
    : command_(std::move(command)), options_(std::move(options)) {
    loop_.stop_on_signals({SIGINT, SIGTERM});
}

Result<void> StationLink::connect() {
    const auto at = Address::parse(options_.at);
    if (!at) return fail(Code::invalid_argument, "--station: " + at.error().message);
    std::string token = options_.token;
    if (token.empty()) token = find_local_token(*at).value_or("");
    const std::string name = fmt::format("{}-{}", environment("USER").value_or("caribou"), command_);
    channel_ = dial_web_socket(loop_,
                               {.at = *at,
                                .target = "/api/v1/stream?name=" + percent_encoded(name),
                                .authorization = token.empty() ? "" : "Bearer " + token},
                               *this);
    constexpr Duration open_limit = 5s;
    constexpr Duration picture_limit = 10s;
    if (loop_.run_until([&] { return closed_ || open_; }, open_limit) && open_)
        loop_.run_until([&] { return closed_ || picture_.complete(); }, picture_limit);
    if (picture_.complete()) return {};
    if (!closed_)
        return fail(Code::timed_out,
                    fmt::format("the station at {} accepts connections and does not answer: it hangs, is "
                                "suspended, or is overloaded. No command has reached a robot.",
                                options_.at));
    return fail(
        Code::unreachable,
        fmt::format("no station answers at {} ({}). Start one with `caribou station`, or set its address "
                    "with --station.",
                    options_.at, *closed_));
}

void StationLink::on_text(std::string_view text) {
    if (auto taken = picture_.take(text); !taken) return on_closed(taken.error().message);
    if (const auto told = picture_.take_clock())
        clock_.learn(told->sent, told->at, loop_.clock().boot_seconds());
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

std::uint64_t StationLink::stop_all(std::string_view group) {
    return request("stop_all", fmt::format(R"("group":{})", json_quoted(group)));
}

std::uint64_t StationLink::send_route(std::string_view robot, std::string_view action,
                                      std::string_view route) {
    return request("route", fmt::format(R"("robot":{},"action":"{}","route":{})", json_quoted(robot), action,
                                        json_quoted(route)));
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
