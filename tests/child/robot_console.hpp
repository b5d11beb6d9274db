#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "base/log.hpp"
#include "child/program.hpp"
#include "link/link_console.hpp"
#include "platform/event_loop.hpp"
#include "platform/socket_network.hpp"

/// A `caribou robot` without authentication.
namespace caribou::tests {

/// Waits until the robot prints that it is ready, and returns its port; 0 if it did not in time.
inline std::uint16_t port_of(ChildProcess& program) {
    const auto line = program.read_line(limit);
    if (!line) return 0;
    EXPECT_NE(line->find(" is ready in RM"), std::string::npos) << *line;
    return static_cast<std::uint16_t>(std::stoi(line->substr(line->rfind(' '))));
}

/// Sends a command over the link as an admin, and returns all answers to it. `on_accepted` is called after an
/// answer that is not the last one; may be empty.
inline std::vector<std::string> tell(std::uint16_t port, std::string_view text,
                                     const std::function<void()>& on_accepted = {}) {
    static std::uint64_t last_id = 0;
    EventLoop loop;
    NullLog log;
    SocketNetwork network(loop, log);
    link::Command said = link::command_from(text).value();
    said.id = {++last_id};
    std::vector<std::string> answers;
    bool over = false;
    const link::LinkConsole console(
        network, Address::ip("127.0.0.1", port), "test", link::Role::admin, said,
        [&](const Result<link::Answer>& answer) {
            if (over) return;
            answers.push_back(answer ? to_string(*answer) : answer.error().message);
            over = !answer || answer->is_final();
            if (!over && on_accepted) on_accepted();
        });
    EXPECT_TRUE(loop.run_until([&] { return over; }, limit));
    return answers;
}

}  // namespace caribou::tests
