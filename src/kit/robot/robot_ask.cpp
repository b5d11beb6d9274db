#include "kit/robot/robot_ask.hpp"

#include <cstdio>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "adapters/openssl/tls_network.hpp"
#include "kit/program/number_from.hpp"
#include "kit/robot/robot_key.hpp"
#include "link/link_console.hpp"
#include "platform/console_log.hpp"
#include "platform/event_loop.hpp"
#include "platform/socket_network.hpp"

namespace caribou::app {
namespace {

constexpr Duration answer_limit = std::chrono::seconds(10);

Result<link::Answer> final_answer(EventLoop& loop, Network& network, const Address& robot,
                                  link::Command command, const std::string& name,
                                  Duration limit = answer_limit, std::optional<double> given = std::nullopt) {
    if (command.id.value == 0)
        command.id = {static_cast<std::uint64_t>(loop.clock().wall().time_since_epoch().count())};
    if (auto objection = link::objection_to(command))
        return fail(Code::invalid_argument, std::move(objection->text));
    std::optional<Result<link::Answer>> final_answer;
    const link::LinkConsole console(
        network, robot, name, link::Role::drive, std::move(command),
        [&](const Result<link::Answer>& answer) {
            if (!final_answer && (!answer || answer->is_final())) final_answer = answer;
        },
        given ? std::optional<link::LinkConsole::Given>({*given, loop.clock()}) : std::nullopt);
    if (!loop.run_until([&] { return final_answer.has_value(); }, limit))
        return fail(Code::timed_out, "it does not answer");
    return *final_answer;
}

}  // namespace

void RobotReach::add_to(CLI::App& parser) {
    parser.add_option("--robot", robot_, "Address of the robot: its ReceivePort")
        ->check(network_address())
        ->capture_default_str();
    parser.add_option("--key", key_, "Name of the key that the robot knows; found by itself on this machine");
    place_.add_to(parser);
    parser.add_flag("--plain", plain_,
                    "Connect without a key to a robot on this machine that has `link.plain = true`");
}

Result<std::string> RobotReach::ask(link::CommandCode code, const std::string& line) const {
    const auto address = Address::parse(robot_);
    if (!address) return fail(Code::invalid_argument, "--robot: " + address.error().message);
    if (plain_ && !address->is_loopback())
        return fail(Code::invalid_argument, "--plain is for a robot on this machine");
    const auto answer = send(*address, {.code = code, .arguments = {{"line", line}}});
    if (!answer)
        return fail(Code::unavailable, fmt::format("the robot at {}: {}", robot_, answer.error().message));
    if (answer->refusal) return fail(Code::unavailable, to_string(*answer));
    return answer->text;
}

Result<link::Answer> RobotReach::send(const Address& robot, link::Command command) const {
    EventLoop loop;
    ConsoleLog log(Level::error);
    SocketNetwork plain(loop, log);
    std::optional<TlsNetwork> secured;
    if (!plain_) {
        const auto key = key_for(robot, place_.folder(), key_, loop, plain, log);
        if (!key) return fail(key.error());
        secured.emplace(loop, plain, log, TlsNetwork::Options{.own_key = key->key});
    }
    return final_answer(loop, secured ? static_cast<Network&>(*secured) : plain, robot, std::move(command),
                        "console");
}

RobotAsk::RobotAsk(CLI::App& parser, link::CommandCode code, const std::string& about)
    : verb_(parser.add_subcommand("ask", about)), code_(code) {
    verb_->add_option("LINE", line_, "Request; `help` lists them")->required();
    reach_.add_to(*verb_);
}

Exit RobotAsk::run() const {
    const auto answer = reach_.ask(code_, fmt::format("{}", fmt::join(line_, " ")));
    if (!answer) {
        fmt::print(stderr, "{}\n", answer.error().message);
        return answer.error().code == Code::invalid_argument ? Exit::usage : Exit::failed;
    }
    fmt::print("{}{}", *answer, answer->empty() || answer->ends_with('\n') ? "" : "\n");
    return Exit::ok;
}

Result<link::Answer> ask_robot(const Address& robot, link::Command command, const std::string& name,
                               Duration limit, double given) {
    EventLoop loop;
    ConsoleLog log(Level::error);
    SocketNetwork network(loop, log);
    return final_answer(loop, network, robot, std::move(command), name, limit, given);
}

}  // namespace caribou::app
