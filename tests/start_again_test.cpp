// A robot of the demo is started again on request, on separate processes of the program.

#include <csignal>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/web_form.hpp"
#include "child/process_tree.hpp"
#include "child/program.hpp"
#include "field/operator.hpp"
#include "platform/temporary_folder.hpp"

namespace caribou::tests {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

class StartAgain : public testing::Test {
protected:
    /// Starts the demo, and connects as the page that it prints does.
    void start() {
        demo = std::make_unique<ChildProcess>(command({"demo", "--port", "0", "--no-browser"}),
                                              Words{"TMPDIR=" + folder.path(), "HOME=" + folder.path()});
        constexpr std::string_view words = "Caribou is at  http://";
        while (const auto line = demo->read_line(limit)) {
            const auto at = line->find(words);
            if (at == std::string::npos) continue;
            const std::string address = line->substr(at + words.size());
            const std::size_t slash = address.find('/');
            person = std::make_unique<Operator>(
                address.substr(0, slash), parse_target(address.substr(slash)).query.find("token")->second);
            return;
        }
    }
    pid_t robot() const {
        for (const pid_t child : children_of(demo->id()))
            if (command_line_of(child).contains(" robot ")) return child;
        return -1;
    }
    static bool is_live(const station::RobotPicture& rover) {
        return rover.status.presence == data::Presence::live;
    }

    TemporaryFolder folder;
    std::unique_ptr<ChildProcess> demo;
    std::unique_ptr<Operator> person;
};

TEST_F(StartAgain, KillsARobotThatIsFrozenAndStartsIt) {
    start();
    ASSERT_TRUE(person && person->sees(is_live, limit));
    const pid_t frozen = robot();
    send_signal(frozen, SIGSTOP);
    ASSERT_TRUE(
        person->sees([](const auto& rover) { return rover.status.mode == data::StationMode::wait; }, limit));
    const auto answer = person->answer_to(person->start_again(), limit);
    ASSERT_TRUE(answer);
    EXPECT_THAT(station::to_string(*answer),
                HasSubstr("DONE: it did not respond, and was killed; started, process "));
    EXPECT_TRUE(has_ended(frozen));
    EXPECT_THAT(answer->text, HasSubstr(std::to_string(robot())));
    EXPECT_TRUE(person->sees(is_live, limit));
    demo->signal(SIGINT);
    const auto end = demo->wait(limit);
    ASSERT_TRUE(end);
    EXPECT_EQ(end->code, 0) << end->err;
}

}  // namespace
}  // namespace caribou::tests
