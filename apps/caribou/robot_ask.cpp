#include "caribou/robot_ask.hpp"

#include <cstdio>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "link/link_console.hpp"
#include "platform/console_log.hpp"
#include "platform/event_loop.hpp"
#include "platform/socket_network.hpp"

namespace caribou::app {
namespace {

constexpr Duration patience = std::chrono::seconds(10);

Exit complain(const std::string& why, Exit with) {
    fmt::print(stderr, "{}\n", why);
    return with;
}

}  // namespace

RobotAsk::RobotAsk(CLI::App& parser, link::CommandCode code, const std::string& about)
    : verb_(parser.add_subcommand("ask", about)), code_(code) {
    verb_->add_option("LINE", line_, "What to ask; `help` tells what there is")->required();
    verb_->add_option("--robot", robot_, "Where the robot listens: its ReceivePort")->capture_default_str();
}

Exit RobotAsk::run() const {
    const auto address = Address::parse(robot_);
    if (!address) return complain("--robot: " + address.error().message, Exit::usage);
    EventLoop loop;
    ConsoleLog log(Level::error);
    SocketNetwork network(loop, log);
    link::Command command{.id = {static_cast<std::uint64_t>(loop.clock().wall().time_since_epoch().count())},
                          .code = code_,
                          .arguments = {{"line", fmt::format("{}", fmt::join(line_, " "))}}};
    std::optional<Result<link::Answer>> final_answer;
    const link::LinkConsole console(network, *address, "console", link::Role::drive, std::move(command),
                                    [&](const Result<link::Answer>& answer) {
                                        if (!final_answer && (!answer || answer->is_final()))
                                            final_answer = answer;
                                    });
    if (!loop.run_until([&] { return final_answer.has_value(); }, patience))
        return complain(fmt::format("the robot at {} does not answer", robot_), Exit::failed);
    if (!*final_answer)
        return complain(fmt::format("the robot at {}: {}", robot_, final_answer->error().message),
                        Exit::failed);
    const link::Answer& answer = **final_answer;
    if (answer.refusal) return complain(to_string(answer), Exit::failed);
    fmt::print("{}{}", answer.text, answer.text.empty() || answer.text.ends_with('\n') ? "" : "\n");
    return Exit::ok;
}

}  // namespace caribou::app
