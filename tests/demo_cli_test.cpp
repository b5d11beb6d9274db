// Process tests of the demo.

#include <signal.h>

#include <algorithm>
#include <filesystem>

#include <gtest/gtest.h>

#include "child/process_tree.hpp"
#include "child/program.hpp"
#include "platform/temporary_folder.hpp"

namespace caribou::tests {
namespace {

using namespace std::chrono_literals;

class DemoCli : public testing::Test {
protected:
    /// Reads the output of the demo up to a line with these words.
    static bool reads(ChildProcess& demo, std::string_view words) {
        while (const auto line = demo.read_line(limit))
            if (line->contains(words)) return true;
        return false;
    }
    static pid_t child_with(const ChildProcess& demo, std::string_view words) {
        for (const pid_t child : children_of(demo.id()))
            if (command_line_of(child).contains(words)) return child;
        return -1;
    }

    TemporaryFolder folder;
    Words environment{"TMPDIR=" + folder.path(), "HOME=" + folder.path()};
};

TEST_F(DemoCli, LeavesNoFolderAfterTwoSignalsEvenIfAProgramHangs) {
    ChildProcess demo(command({"demo", "--port", "0"}), environment);
    ASSERT_TRUE(reads(demo, "Caribou is at"));
    const auto is_of_demo = [](const auto& entry) {
        return entry.path().filename().string().starts_with("caribou-demo");
    };
    const auto has_folder = [&] {
        return std::ranges::any_of(std::filesystem::directory_iterator(folder.path()), is_of_demo);
    };
    ASSERT_TRUE(has_folder());
    send_signal(child_with(demo, " station "), SIGSTOP);
    demo.signal(SIGINT);
    ASSERT_TRUE(reads(demo, "Ending."));
    std::optional<ChildProcess::End> end;
    // Signals of the first second count as one.
    for (Duration waited{}; !end && waited < limit; waited += 100ms) {
        demo.signal(SIGINT);
        end = demo.wait(100ms);
    }
    ASSERT_TRUE(end);
    EXPECT_EQ(end->code, 1) << "killed by a signal: " << end->err;
    EXPECT_FALSE(has_folder());
}

}  // namespace
}  // namespace caribou::tests
