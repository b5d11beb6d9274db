#pragma once

#include <unistd.h>

#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "child/program.hpp"
#include "platform/event_loop.hpp"
#include "platform/temporary_folder.hpp"

namespace caribou::tests {

/// Waits, with a deadline, until the condition holds; it is asked every 5 ms.
inline bool comes_true(const std::function<bool()>& condition, Duration at_most = limit) {
    EventLoop loop;
    const Instant end = loop.clock().now() + at_most;
    while (!condition() && loop.clock().now() < end)
        loop.run_until([&, due = loop.clock().now() +
                                 std::chrono::milliseconds(5)] { return loop.clock().now() >= due; },
                       std::chrono::milliseconds(5));
    return condition();
}

/// `caribou world serve` on a world that the test names.
class WorldProcess {
public:
    explicit WorldProcess(const std::string& file)
        : program_(command({"world", "serve", file, "--socket", socket(), "--trace", folder_ / "trace"})) {
        EXPECT_NE(program_.read_line(limit).value_or("").find(" is served at "), std::string::npos);
    }

    std::string socket() const { return folder_ / "world.sock"; }
    /// One line of the trace.
    struct Ordered {
        long long microseconds = 0;
        std::string robot;
        double left = 0;
        double right = 0;
        std::string reason;

        bool moves() const { return left != 0 || right != 0; }
    };
    std::vector<Ordered> trace() const {
        std::ifstream file(folder_ / "trace");
        std::vector<Ordered> all;
        for (Ordered each; file >> each.microseconds >> each.robot >> each.left >> each.right >> std::ws &&
                           std::getline(file, each.reason);)
            all.push_back(each);
        return all;
    }
    /// Whether the latest order of any robot moves it.
    bool moves() const {
        const auto all = trace();
        return !all.empty() && all.back().moves();
    }
    ChildProcess& program() { return program_; }
    const TemporaryFolder& folder() const { return folder_; }

private:
    TemporaryFolder folder_;
    ChildProcess program_;
};

}  // namespace caribou::tests
