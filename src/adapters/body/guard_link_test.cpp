#include "adapters/body/guard_link.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <tuple>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "loop/virtual_loop.hpp"
#include "platform/datagram_pair.hpp"
#include "platform/environment.hpp"
#include "platform/temporary_folder.hpp"
#include "platform/text_file.hpp"

namespace caribou {
namespace {

using namespace std::chrono_literals;
using motion::GuardFeed;
using motion::GuardState;
using testing::ElementsAre;

/// The guard's end of the channel is in the test's hands.
class GuardLinkTest : public testing::Test {
protected:
    const TemporaryFolder folder;
    const std::string device = folder.write("device", "");

    GuardLinkTest() {
        auto pair = DatagramEnd::make_pair().value();
        guard = std::move(pair[0]);
        const int descriptor = ::dup(pair[1].descriptor());
        ::setenv(guard_variable, std::to_string(descriptor).c_str(), 1);
        link = GuardLink::from_environment(loop.clock()).value();
        link->start(
            {.on_driver = [this](int driver) { drivers.emplace_back(driver); },
             .on_cut = [this](const motion::GuardCut& cut) { reasons.push_back(cut.reason); },
             .on_restored = [this] { reasons.emplace_back("restored"); },
             .on_not_restored =
                 [this](const std::string& reason) { reasons.push_back("not restored: " + reason); },
             .on_given_up = [this](const std::string& reason) { reasons.push_back("gave up: " + reason); }},
            "d19e57", device);
        EXPECT_EQ(received(), motion::RobotToGuard(motion::GuardStart{"d19e57"}));
    }
    ~GuardLinkTest() override { ::unsetenv(guard_variable); }

    std::optional<motion::RobotToGuard> received() {
        const auto datagram = guard.receive();
        if (!datagram || !*datagram) return std::nullopt;
        return motion::robot_to_guard_from((*datagram)->datagram).value();
    }
    void send(const motion::GuardToRobot& message, int passed = -1) const {
        Bytes bytes;
        encode(message, bytes);
        EXPECT_TRUE(guard.send(bytes, passed));
    }
    GuardState feed() { return link->exchange({.at = loop.clock().now(), .motors_on = true}); }

    VirtualLoop loop;
    DatagramEnd guard;
    std::unique_ptr<GuardLink> link;
    std::vector<Descriptor> drivers;
    std::vector<std::string> reasons;
};

TEST_F(GuardLinkTest, StopsTheDeviceWhenTheGuardHasGone) {
    link->declare({.stop_frame = Bytes(2, std::byte{'S'})});
    EXPECT_EQ(link->exchange({}), motion::GuardState::watches);
    EXPECT_EQ(read_text_file(device), "");
    guard = {};
    EXPECT_EQ(link->exchange({}), motion::GuardState::silent);
    EXPECT_EQ(read_text_file(device), "SSSS");
}

TEST_F(GuardLinkTest, KillsADriverThatIsSilentTogetherWithTheGuard) {
    const pid_t driver = ::fork();
    if (driver == 0)
        for (;;) ::pause();
    ASSERT_GT(driver, 0);
    {
        const Descriptor process(static_cast<int>(::syscall(SYS_pidfd_open, driver, 0)));
        send(motion::GuardDriver{}, process.get());
    }
    link->declare({.stop_frame = Bytes(2, std::byte{'S'})});
    feed();
    loop.advance(201ms);
    EXPECT_EQ(feed(), GuardState::silent);
    EXPECT_EQ(::waitpid(driver, nullptr, WNOHANG), 0) << "a driver that answers is ordered to rest";
    EXPECT_EQ(read_text_file(device), "");
    EXPECT_EQ(link->exchange({.driver_lost = true}), GuardState::silent);
    int status = 0;
    EXPECT_EQ(::waitpid(driver, &status, 0), driver);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    EXPECT_EQ(read_text_file(device), "SSSS");
}

TEST(GuardLink, SignalsTheProcessThatMadeTheChannelWhileItLives) {
    auto passing = DatagramEnd::make_pair().value();
    const pid_t maker = ::fork();
    if (maker == 0) {
        const auto channel = DatagramEnd::make_pair().value();
        std::ignore = passing[1].send(bytes_of("end"), channel[1].descriptor());
        for (;;) ::pause();
    }
    ASSERT_GT(maker, 0);
    pollfd passed{passing[0].descriptor(), POLLIN, 0};
    ASSERT_EQ(::poll(&passed, 1, 60'000), 1);
    ::setenv(guard_variable, std::to_string(passing[0].receive().value()->passed.release()).c_str(), 1);
    const VirtualLoop loop;
    const auto link = GuardLink::from_environment(loop.clock()).value();
    EXPECT_TRUE(link->signal_guard(SIGPWR));
    siginfo_t end{};
    ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(maker), &end, WEXITED | WNOWAIT), 0);
    EXPECT_EQ(end.si_status, SIGPWR);
    EXPECT_FALSE(link->signal_guard(SIGPWR)) << "it has ended, though it was not waited for";
    ::waitpid(maker, nullptr, 0);
    EXPECT_FALSE(link->signal_guard(SIGPWR)) << "whatever has its number now";
}

TEST_F(GuardLinkTest, HidesTheChannelFromChildren) { EXPECT_EQ(environment(guard_variable), std::nullopt); }

TEST_F(GuardLinkTest, FeedsTheGuard) {
    EXPECT_EQ(feed(), GuardState::watches);
    EXPECT_EQ(received(), motion::RobotToGuard(GuardFeed{.at = loop.clock().now(), .motors_on = true}));
}

TEST_F(GuardLinkTest, FindsAGuardSilentThatDoesNotAnswerFor200Milliseconds) {
    feed();
    loop.advance(200ms);
    EXPECT_EQ(feed(), GuardState::watches);
    loop.advance(1ms);
    EXPECT_EQ(feed(), GuardState::silent);
}

TEST_F(GuardLinkTest, TakesABodyThatIsNotRestoredForCut) {
    send(motion::GuardNotRestored{"no device"});
    EXPECT_EQ(feed(), GuardState::cut);
    EXPECT_THAT(reasons, ElementsAre("not restored: no device"));
    send(motion::GuardRestored{});
    EXPECT_EQ(feed(), GuardState::watches);
}

TEST_F(GuardLinkTest, CountsAnswersThatArrivedWhileThisProcessWasStopped) {
    feed();
    send(motion::GuardAlive{});
    loop.advance(10s);
    EXPECT_EQ(feed(), GuardState::watches);
}

TEST_F(GuardLinkTest, FindsAGuardSilentThatHasEnded) {
    feed();
    guard = DatagramEnd();
    EXPECT_EQ(feed(), GuardState::silent);
}

TEST_F(GuardLinkTest, ReportsCutsAndTakesTheConnectionToANewDriver) {
    send(motion::GuardCut{"the driver has ended"});
    EXPECT_EQ(feed(), GuardState::cut);
    std::array<int, 2> pair{};
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair.data()), 0);
    const Descriptor far(pair[1]);
    {
        const Descriptor near(pair[0]);
        send(motion::GuardRestored{}, near.get());
    }
    EXPECT_EQ(feed(), GuardState::watches);
    EXPECT_THAT(reasons, ElementsAre("the driver has ended", "restored"));
    ASSERT_EQ(drivers.size(), 1U);
    EXPECT_EQ(::fcntl(drivers[0].get(), F_GETFD), FD_CLOEXEC);
    ASSERT_EQ(::write(drivers[0].get(), "x", 1), 1);
    char byte = 0;
    EXPECT_EQ(::read(far.get(), &byte, 1), 1) << "it is the connection that was passed";
}

TEST_F(GuardLinkTest, ReportsThatTheGuardHasGivenUp) {
    send(motion::GuardCut{"the driver has ended"});
    send(motion::GuardGaveUp{"six cuts"});
    EXPECT_EQ(feed(), GuardState::cut);
    EXPECT_THAT(reasons, ElementsAre("the driver has ended", "gave up: six cuts"));
}

TEST_F(GuardLinkTest, DeclaresADriverAgainOnceItAnswersAgain) {
    const motion::DriverFacts facts{.stops_without_feed = 500ms};
    link->declare(facts);
    EXPECT_EQ(received(), motion::RobotToGuard(facts));
    for (const bool lost : {false, true, false, false}) link->exchange({.driver_lost = lost});
    EXPECT_EQ(received(), motion::RobotToGuard(GuardFeed{}));
    EXPECT_EQ(received(), motion::RobotToGuard(GuardFeed{.driver_lost = true}));
    EXPECT_EQ(received(), motion::RobotToGuard(facts));
    EXPECT_EQ(received(), motion::RobotToGuard(GuardFeed{}));
    EXPECT_EQ(received(), motion::RobotToGuard(GuardFeed{}));
    EXPECT_EQ(received(), std::nullopt);
}

TEST_F(GuardLinkTest, SaysByeOnceAndFeedsNoMore) {
    link->bye(true);
    link->bye(false);
    EXPECT_EQ(feed(), GuardState::watches);
    EXPECT_EQ(received(), motion::RobotToGuard(motion::GuardBye{}));
    EXPECT_EQ(received(), std::nullopt);
}

TEST_F(GuardLinkTest, IgnoresWhatIsNotADatagramOfAGuard) {
    EXPECT_TRUE(guard.send(bytes_of("hello")));
    EXPECT_TRUE(guard.send(Bytes(2000, std::byte{1})));
    send(motion::GuardCut{"no feed"});
    EXPECT_EQ(feed(), GuardState::cut);
}

TEST_F(GuardLinkTest, PassesTheChannelToAFreshImage) {
    link->pass_to_fresh_image();
    const std::string descriptor = environment(guard_variable).value_or("");
    ASSERT_FALSE(descriptor.empty());
    EXPECT_EQ(::fcntl(std::stoi(descriptor), F_GETFD), 0) << "kept on exec";
    EXPECT_EQ(received(), motion::RobotToGuard(motion::GuardBye{.at_rest = false}))
        << "propulsion has not ended before";
}

TEST(GuardLink, IsNoneWithoutItsVariable) {
    const VirtualLoop loop;
    ::unsetenv(guard_variable);
    EXPECT_EQ(GuardLink::from_environment(loop.clock()).value(), nullptr);
}

TEST(GuardLink, RefusesADescriptorThatIsNotAGuardsChannel) {
    const VirtualLoop loop;
    for (const char* const text : {"", "x", "-1", "0", "99999", "5 "}) {
        ::setenv(guard_variable, text, 1);
        EXPECT_FALSE(GuardLink::from_environment(loop.clock())) << text;
    }
    ::unsetenv(guard_variable);
}

}  // namespace
}  // namespace caribou
