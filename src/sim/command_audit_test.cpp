#include "sim/command_audit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "link/command_table.hpp"
#include "loop/virtual_loop.hpp"
#include "sim/datagram_audit.hpp"

namespace caribou::sim {
namespace {

using namespace std::chrono_literals;
using link::Answer;
using link::Command;
using link::CommandCode;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct CommandAuditTest : testing::Test {
    CommandAuditTest() {
        tap().on_written({1}, link::frame_of(link::Welcome{"rover", link::Role::drive, 1}));
    }
    void ask(std::uint64_t id) { tap().on_read({1}, link::frame_of(Command{{id}, CommandCode::ping})); }
    void answer(const Answer& said) { tap().on_written({1}, link::frame_of(said)); }
    StreamTap& tap() { return audit; }

    VirtualLoop loop;
    CommandAudit audit{loop.clock()};
};

TEST_F(CommandAuditTest, IsContentWithOneFinalAnswerEach) {
    ask(7);
    answer(Answer::accepted({7}));
    answer(Answer::done({7}));
    ask(7);
    answer(Answer::done({7}));
    ask(8);
    answer(Answer::refused({8}, {link::Refusal::busy, "later"}));
    loop.advance(2min);
    audit.look();
    EXPECT_THAT(audit.findings(), IsEmpty());
    EXPECT_EQ(audit.commands(), 3u);
    EXPECT_EQ(audit.refused(), 1u);
}

TEST_F(CommandAuditTest, PassesOnCommandsThatWereSentWithTheAuthentication) {
    struct Listener final : CommandListener {
        void on_command(StreamNumber, const Command& command) override { read.push_back(command.id.value); }
        void on_done(StreamNumber, const Command& command, Instant) override {
            done.push_back(command.id.value);
        }
        void on_gone(StreamNumber) override {}
        std::vector<std::uint64_t> read;
        std::vector<std::uint64_t> done;
    } listener;
    audit.set_listener(&listener);
    tap().on_read({2}, link::frame_of(Command{{7}, CommandCode::ping}));
    EXPECT_THAT(listener.read, IsEmpty());
    tap().on_written({2}, link::frame_of(link::Welcome{"friend", link::Role::drive, 2}));
    EXPECT_THAT(listener.read, ElementsAre(7));
    tap().on_written({2}, link::frame_of(Answer::done({7})));
    EXPECT_THAT(listener.done, ElementsAre(7));
}

TEST_F(CommandAuditTest, FindsASecondFinalAnswer) {
    ask(7);
    answer(Answer::done({7}));
    answer(Answer::done({7}));
    EXPECT_THAT(audit.findings(), ElementsAre(HasSubstr("answered 7 once too often")));
}

TEST_F(CommandAuditTest, FindsAnAnswerToNothing) {
    answer(Answer::done({9}));
    EXPECT_THAT(audit.findings(), ElementsAre(HasSubstr("answered 9, which was never sent")));
}

TEST_F(CommandAuditTest, FindsAnAnswerThatDoesNotComeWhileTheConnectionStands) {
    ask(7);
    loop.advance(CommandAudit::limit);
    audit.look();
    EXPECT_THAT(audit.findings(), IsEmpty());
    loop.advance(1s);
    audit.look();
    EXPECT_THAT(audit.findings(), ElementsAre(HasSubstr("command 7 (ping) has had no final answer for 1m")));
}

TEST_F(CommandAuditTest, FindsARefusalForALeaseThatNoConnectionCanHold) {
    const auto refuse = [&](std::uint64_t id) {
        tap().on_read({1}, link::frame_of(Command{{id}, CommandCode::move_forward}));
        answer(Answer::refused({id}, {link::Refusal::no_lease, "ann drives"}));
    };
    loop.advance(1s);
    tap().on_written({2}, link::frame_of(link::Welcome{"rover", link::Role::drive, 2}));
    tap().on_read({2}, link::frame_of(Command{{1}, CommandCode::move_forward}));
    refuse(7);
    EXPECT_THAT(audit.findings(), IsEmpty()) << "the other one may have it";
    tap().on_gone({2});
    loop.advance(1s);
    audit.expect_stranger_until(loop.clock().now() + 1s);
    refuse(9);
    EXPECT_THAT(audit.findings(), IsEmpty()) << "a peer without a connection may have it";
    loop.advance(2s);
    refuse(8);
    EXPECT_THAT(audit.findings(), ElementsAre(HasSubstr("which no other connection can hold")));
}

TEST_F(CommandAuditTest, AllowsMoreTimeForDock) {
    tap().on_read({1}, link::frame_of(Command{{7}, CommandCode::dock}));
    loop.advance(link::dock_limit + CommandAudit::limit);
    audit.look();
    EXPECT_THAT(audit.findings(), IsEmpty());
    loop.advance(1s);
    audit.look();
    EXPECT_THAT(audit.findings(), ElementsAre(HasSubstr("command 7 (dock) has had no final answer")));
}

TEST_F(CommandAuditTest, ExpectsNothingOfAConnectionThatIsGone) {
    ask(7);
    tap().on_gone({1});
    loop.advance(2min);
    audit.look();
    EXPECT_THAT(audit.findings(), IsEmpty());
}

TEST_F(CommandAuditTest, FindsWhatWasCarriedOutForWhoWasNotWelcomed) {
    tap().on_read({2}, link::frame_of(Command{{1}, CommandCode::move_forward}));
    tap().on_written({2}, link::frame_of(Answer::done({1})));
    EXPECT_THAT(audit.findings(), ElementsAre(HasSubstr("without a welcome")));
}

TEST_F(CommandAuditTest, FindsWhatWasCarriedOutWithoutTheRoleOrTheLease) {
    const auto welcome = [&](std::uint64_t stream, link::Role role) {
        tap().on_written({stream}, link::frame_of(link::Welcome{"rover", role, stream}));
    };
    const auto drive = [&](std::uint64_t stream, std::uint64_t id) {
        tap().on_read({stream}, link::frame_of(Command{{id}, CommandCode::move_forward}));
        tap().on_written({stream}, link::frame_of(Answer::done({id})));
    };
    welcome(2, link::Role::drive);
    welcome(3, link::Role::observe);
    drive(1, 1);
    EXPECT_THAT(audit.findings(), IsEmpty());
    drive(2, 2);
    EXPECT_THAT(audit.findings(), ElementsAre(HasSubstr("another peer held the lease")));
    tap().on_gone({1});
    drive(2, 3);
    EXPECT_EQ(audit.findings().size(), 1u);
    tap().on_gone({2});
    drive(3, 4);
    EXPECT_THAT(audit.findings().back(), HasSubstr("for the role observe"));
}

struct DatagramAuditTest : testing::Test {
    /// The station accepts or rejects the packet.
    void receive(std::string_view packet, bool taken) {
        audit.on_received(bytes_of(packet));
        refusals += taken ? 0 : 1;
    }

    std::uint64_t refusals = 0;
    DatagramAudit audit{[this] { return refusals; }};
};

TEST_F(DatagramAuditTest, IsContentWhenEachIsTakenOnce) {
    audit.sent(0, bytes_of("one"));
    audit.sent(0, bytes_of("two"));
    receive("two", true);
    receive("one", true);
    receive("two", false);
    receive("twO", false);
    audit.look();
    EXPECT_THAT(audit.findings(), IsEmpty());
    audit.restart();
    receive("one", true);
    audit.look();
    EXPECT_THAT(audit.findings(), IsEmpty()) << "another station";
}

TEST_F(DatagramAuditTest, SeesOneThatIsTakenTwice) {
    audit.sent(0, bytes_of("one"));
    receive("one", true);
    receive("one", true);
    audit.look();
    EXPECT_THAT(audit.findings(), ElementsAre(HasSubstr("twice")));
}

TEST_F(DatagramAuditTest, KnowsTheLatestOfARobotWhateverTheOthersSend) {
    audit.sent(0, bytes_of("lost, and sent again by an attacker"));
    for (int i = 0; i < 5000; ++i) {
        audit.sent(1, bytes_of(std::to_string(i)));
        receive(std::to_string(i), true);
    }
    receive("lost, and sent again by an attacker", true);
    audit.look();
    EXPECT_THAT(audit.findings(), IsEmpty());
    receive("lost, and sent again by an attacker", true);
    audit.look();
    EXPECT_THAT(audit.findings(), ElementsAre(HasSubstr("twice")));
}

TEST_F(DatagramAuditTest, SeesOneThatWasAltered) {
    audit.sent(0, bytes_of("one"));
    receive("onE", true);
    audit.look();
    EXPECT_THAT(audit.findings(), ElementsAre(HasSubstr("no robot had sent")));
}

}  // namespace
}  // namespace caribou::sim
