#include "platform/console_log.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <stdlib.h>
#include <unistd.h>

#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace caribou {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

std::string written(const std::function<void()>& act) {
    testing::internal::CaptureStderr();
    act();
    return testing::internal::GetCapturedStderr();
}

TEST(ConsoleLog, WritesTimeLevelAndText) {
    const std::string text = written([] { ConsoleLog().warning("low battery: {}% left"); });
    EXPECT_THAT(text,
                ContainsRegex("^[0-9-]{10} [0-9:]{8}\\.[0-9]{3} warning: low battery: \\{\\}% left\n$"));
}

TEST(ConsoleLog, LeavesOutWhatIsBelowItsLevel) {
    const std::string text = written([] {
        ConsoleLog log(Level::warning);
        log.debug("one");
        log.info("two");
        log.error("three");
    });
    EXPECT_THAT(text, Not(HasSubstr("one")));
    EXPECT_THAT(text, Not(HasSubstr("two")));
    EXPECT_THAT(text, HasSubstr("error: three"));
}

TEST(ConsoleLog, SpellsOutControlCharacters) {
    const std::string text = written([] { ConsoleLog().info("\x1b[2J\nfake: line\x7f"); });
    EXPECT_THAT(text, HasSubstr("info: \\x1b[2J\\x0afake: line\\x7f\n"));
}

TEST(ConsoleLog, KeepsLinesOfSeveralThreadsApart) {
    const std::string text = written([] {
        ConsoleLog log;
        std::vector<std::jthread> threads;
        for (int t = 0; t < 4; ++t)
            threads.emplace_back([&log] {
                for (int i = 0; i < 100; ++i) log.info("0123456789");
            });
    });
    std::size_t lines = 0;
    for (std::size_t at = 0; (at = text.find("info: 0123456789\n", at)) != std::string::npos; ++at) ++lines;
    EXPECT_EQ(lines, 400U);
}

/// Runs `act` with standard error on a terminal and returns the line printed there.
std::string shown_on_terminal(const std::function<void()>& act) {
    const int master = posix_openpt(O_RDWR | O_NOCTTY);
    EXPECT_GE(master, 0);
    EXPECT_EQ(grantpt(master), 0);
    EXPECT_EQ(unlockpt(master), 0);
    char name[128] = {};
    EXPECT_EQ(ptsname_r(master, name, sizeof name), 0);
    const int terminal = open(name, O_RDWR | O_NOCTTY);
    const int before = dup(STDERR_FILENO);
    dup2(terminal, STDERR_FILENO);
    act();
    dup2(before, STDERR_FILENO);
    std::string shown;  // the line arrives in pieces
    char piece[256];
    while (!shown.contains('\n')) {
        const ssize_t got = read(master, piece, sizeof piece);
        if (got <= 0) break;
        shown.append(piece, static_cast<std::size_t>(got));
    }
    close(before);
    close(terminal);
    close(master);
    return shown;
}

TEST(ConsoleLog, ColoursTheLevelOnATerminalOnly) {
    setenv("TERM", "xterm", 1);
    const auto act = [] { ConsoleLog().error("hot"); };
    EXPECT_THAT(shown_on_terminal(act), HasSubstr("\x1b["));
    EXPECT_THAT(written(act), Not(HasSubstr("\x1b[")));
}

}  // namespace caribou
