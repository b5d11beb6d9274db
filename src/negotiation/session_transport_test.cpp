#include "negotiation/session_transport.hpp"

#include <array>
#include <deque>
#include <limits>

#include "negotiation/chain_contract.hpp"
#include "negotiation/session_message.hpp"
#include "negotiation/transport_contract.hpp"

namespace caribou::negotiation {
namespace {

using namespace std::chrono_literals;

/// Two ends of a session; messages arrive at the other end a millisecond later.
class Pipe {
public:
    Pipe(Loop& loop, SessionTransport& one, SessionTransport& other) : near_(loop, *this), far_(loop, *this) {
        near_.other = &far_;
        far_.other = &near_;
        near_.session = one.join("far", near_);
        far_.session = other.join("near", far_);
    }

    Result<void> outcome{};
    bool full = false;

    TopicSession& near() { return *near_.session; }

private:
    struct End final : SessionSender {
        End(Loop& loop, Pipe& its_pipe)
            : pipe(its_pipe), loop_(loop), timer(loop.make_timer([this] { pass(); })) {}
        bool send(Kind kind, ByteView message) override {
            if (kind == Kind::sample && pipe.full) return false;
            if (waiting.empty()) timer->arm(loop_.clock().now() + 1ms);
            waiting.emplace_back(message.begin(), message.end());
            return true;
        }
        void pass() {
            for (auto messages = std::exchange(waiting, {}); const Bytes& message : messages)
                if (other->session != nullptr)
                    if (auto taken = other->session->receive(message); !taken) pipe.outcome = taken;
        }
        Pipe& pipe;
        Loop& loop_;
        End* other = nullptr;
        std::unique_ptr<Timer> timer;
        std::deque<Bytes> waiting{};
        std::unique_ptr<TopicSession> session{};
    };

    End near_;
    End far_;
};

/// A station, which is process 1, and two robots.
struct SessionRig {
    SessionRig() {
        for (const std::size_t robot : {0U, 2U}) connect(robot);
    }
    ~SessionRig() {
        for (const auto& pipe : pipes) EXPECT_TRUE(!pipe || pipe->outcome) << pipe->outcome.error().message;
    }
    Transport& process(std::size_t n) { return *transports.at(n); }
    Loop& loop() { return virtual_loop; }
    bool run_until(const std::move_only_function<bool() const>& condition) {
        return virtual_loop.run_until(condition, 20s);
    }
    void settle() { virtual_loop.advance(1s); }
    /// Ends the sessions of process `n` and starts new ones.
    void lose(std::size_t n) {
        for (const std::size_t robot : {0U, 2U})
            if (n == 1 || n == robot) {
                pipes.at(robot).reset();
                connect(robot);
            }
    }
    void connect(std::size_t robot) {
        pipes.at(robot) = std::make_unique<Pipe>(virtual_loop, *transports.at(1), *transports.at(robot));
    }

    VirtualLoop virtual_loop;
    std::array<std::unique_ptr<SessionTransport>, 3> transports{
        std::make_unique<SessionTransport>(virtual_loop), std::make_unique<SessionTransport>(virtual_loop),
        std::make_unique<SessionTransport>(virtual_loop)};
    std::array<std::unique_ptr<Pipe>, 3> pipes;
};

INSTANTIATE_TYPED_TEST_SUITE_P(Session, TransportContract, SessionRig);
INSTANTIATE_TYPED_TEST_SUITE_P(Session, ChainContract, SessionRig);

TEST(SessionTransport, TellsOfWritersThatAreLostWithTheSession) {
    SessionRig rig;
    WriterEar robot, own;
    ReaderEar reader;
    robot.speak(rig.process(0), chatter, keeping);
    own.speak(rig.process(1), chatter, keeping);
    reader.listen(rig.process(1), chatter, keeping);
    ASSERT_TRUE(rig.run_until([&] { return reader.joined.size() == 2; }));
    const std::size_t of_robot = reader.joined[0].name.ends_with("of far") ? 0 : 1;
    rig.pipes[0].reset();
    EXPECT_TRUE(reader.gone.empty()) << "nothing is told from inside a call";
    ASSERT_TRUE(rig.run_until([&] { return !reader.gone.empty() && !robot.gone.empty(); }));
    EXPECT_EQ(reader.gone[0], reader.joined[of_robot]);
    rig.settle();
    EXPECT_EQ(reader.gone.size(), 1u);

    rig.connect(0);
    robot.say("back");
    ASSERT_TRUE(rig.run_until([&] { return reader.joined.size() == 3 && reader.texts.size() == 1; }));
    EXPECT_NE(reader.joined[2].id, reader.gone[0].id) << "who is back is somebody new";
}

TEST(SessionTransport, DropsSamplesAndNothingElseWhenThereIsNoRoom) {
    SessionRig rig;
    WriterEar writer;
    ReaderEar reader;
    writer.speak(rig.process(0), chatter);
    reader.listen(rig.process(1), chatter);
    ASSERT_TRUE(rig.run_until([&] { return !reader.joined.empty() && !writer.joined.empty(); }));
    rig.pipes[0]->full = true;
    writer.say("lost");
    rig.settle();
    rig.pipes[0]->full = false;
    writer.say("found");
    writer.writer.reset();
    ASSERT_TRUE(rig.run_until([&] { return !reader.gone.empty(); }));
    EXPECT_THAT(reader.story, testing::ElementsAre("joined", "found", "gone"));
    EXPECT_EQ(rig.transports[0]->stats().dropped, 1u);
    EXPECT_EQ(rig.transports[0]->stats().sent, 1u);
    EXPECT_EQ(rig.transports[1]->stats().received, 1u);
}

TEST(SessionTransport, PassesNothingOnFromOneEndToAnother) {
    SessionRig rig;
    WriterEar writer;
    ReaderEar reader;
    writer.speak(rig.process(0), chatter, keeping);
    reader.listen(rig.process(2), chatter, keeping);
    rig.settle();
    EXPECT_TRUE(reader.story.empty());
}

TEST(SessionTransport, TellsTheWriterWhereItsReaderIs) {
    SessionRig rig;
    WriterEar writer;
    ReaderEar reader;
    writer.speak(rig.process(0), chatter);
    reader.listen(rig.process(1), chatter);
    ASSERT_TRUE(rig.run_until([&] { return !writer.joined.empty(); }));
    EXPECT_EQ(writer.joined[0].name, "reader 1 of near");
}

TEST(SessionTransport, RefusesAnEndThatLies) {
    SessionRig rig;
    ReaderEar reader;
    reader.listen(rig.process(1), chatter);
    TopicSession& session = rig.pipes[0]->near();
    EXPECT_FALSE(session.receive(bytes_of("\x09")));
    EXPECT_FALSE(session.receive(encode(ReaderDown{7}))) << "no such reader";
    EXPECT_FALSE(session.receive(encode(WriterDown{1, 5}))) << "no such writer";
    EXPECT_FALSE(session.receive(encode(Written{1, 5, 0, {}}))) << "a sample of nobody";
    EXPECT_FALSE(session.receive(encode(Written{99, 5, std::numeric_limits<std::int64_t>::max(), {}})));
    EXPECT_TRUE(session.receive(encode(Written{99, 5, 0, {}}))) << "of a reader that may have been there";
    EXPECT_TRUE(session.receive(encode(WriterUp{1, 5, "x"})));
    EXPECT_FALSE(session.receive(encode(WriterUp{1, 5, "x"}))) << "twice";
    EXPECT_FALSE(session.receive(encode(ReaderUp{3, {"", "type"}, {}}))) << "a topic without a name";
    const ReaderUp up{4, chatter, {}};
    EXPECT_TRUE(session.receive(encode(up)));
    EXPECT_FALSE(session.receive(encode(up))) << "twice";
    for (ReaderNumber number = 10; number < 10 + SessionTransport::max_readers - 2; ++number)
        ASSERT_TRUE(session.receive(encode(ReaderUp{number, chatter, {}})));
    const auto refused = session.receive(encode(ReaderUp{5000, chatter, {}}));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Code::limit_exceeded);
}

TEST(SessionMessage, IsReadAsItWasWritten) {
    const auto again = [](const SessionMessage& message) {
        return encode(decode_session_message(encode(message)).value()) == encode(message);
    };
    EXPECT_TRUE(again(ReaderUp{7, chatter, keeping}));
    EXPECT_TRUE(again(ReaderDown{7}));
    EXPECT_TRUE(again(WriterUp{7, 8, "name"}));
    EXPECT_TRUE(again(WriterDown{7, 8}));
    EXPECT_TRUE(again(Written{7, 8, -9, bytes_of("sample")}));
    const Bytes golden = encode(ReaderUp{7, {"/a", "b"}, keeping});
    EXPECT_EQ(text_of(golden), std::string_view("\0\7\0\0\0\1\1\3\0\0\0\2\0/a\1\0b", 18));
}

}  // namespace
}  // namespace caribou::negotiation
