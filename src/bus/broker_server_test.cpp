#include "bus/broker_server.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bus/client.hpp"
#include "loop/memory_network.hpp"
#include "loop/virtual_loop.hpp"
#include "wire/codec.hpp"

namespace caribou::bus {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

class BrokerServerTest : public testing::Test {
protected:
    void SetUp() override { ASSERT_TRUE(server_.listen(Address::ip("127.0.0.1", 9000))); }

    std::unique_ptr<Client> client(std::string name, CommsMode mode = CommsMode::asynchronous) {
        auto made =
            std::make_unique<Client>(loop_, network_, ClientOptions{.name = std::move(name), .mode = mode});
        EXPECT_TRUE(made->start());
        return made;
    }
    static std::vector<double> values(Client& client) {
        std::vector<double> all;
        for (const auto& m : client.fetch()) all.push_back(m.value);
        return all;
    }

    VirtualLoop loop_;
    MemoryNetwork network_{loop_};
    MemoryLog log_;
    BrokerServer server_{loop_, network_, {.broker = {.community = "test"}}, log_};
};

/// A client that sends many server requests at once, and counts the answers.
class Asking final : StreamEvents {
public:
    Asking(Network& network, std::size_t requests)
        : requests_(requests), stream_(network.connect(Address::ip("127.0.0.1", 9000), *this)) {}
    std::size_t answers() const { return answers_; }

private:
    void on_open() override {
        send(wire::greeting());
        send(wire::encode_packet(wire::MessageView{.type = wire::MessageType::data,
                                                   .data_type = wire::DataType::string,
                                                   .key = wire::asynchronous,
                                                   .payload = "asking"}));
    }
    void send(ByteView bytes) { std::ignore = stream_->write({&bytes, 1}); }
    void on_readable() override {
        std::array<std::byte, 65536> room;
        const auto size = stream_->read(room);
        if (!size) return;
        append(received_, ByteView(room).first(*size));
        ByteView rest = received_;
        for (auto step = reader_.next(rest); step; step = reader_.next(rest)) {
            rest = rest.subspan(step->consumed);
            if (step->kind == wire::PacketReader::Step::Kind::need_more) break;
            if (step->kind == wire::PacketReader::Step::Kind::message) take(step->message);
        }
        received_.erase(received_.begin(), received_.end() - static_cast<std::ptrdiff_t>(rest.size()));
    }
    void take(const wire::MessageView& message) {
        if (message.key == "VAR_SUMMARY") ++answers_;
        if (message.type != wire::MessageType::welcome) return;
        const wire::Message request{.id = wire::server_request_id,
                                    .type = wire::MessageType::server_request,
                                    .data_type = wire::DataType::string,
                                    .key = "VAR_SUMMARY"};
        send(wire::encode_packet(std::vector<wire::Message>(requests_, request)));
    }
    void on_writable() override {}
    void on_connect_failed(const Error&) override {}

    std::size_t requests_;
    std::size_t answers_ = 0;
    wire::PacketReader reader_{1_MiB};
    Bytes received_;
    std::unique_ptr<Stream> stream_;
};

TEST_F(BrokerServerTest, AnswersManyRequestsOneAfterTheOther) {
    const Asking asking(network_, 300);
    loop_.advance(3s);
    EXPECT_EQ(asking.answers(), 300U);
}

TEST_F(BrokerServerTest, JoinsClientsOfBothKinds) {
    const auto reader = client("reader");
    const auto lockstep = client("lockstep", CommsMode::synchronous);
    const auto writer = client("writer");
    loop_.advance(1s);
    ASSERT_TRUE(reader->connected() && lockstep->connected() && writer->connected());
    EXPECT_EQ(reader->community(), "test");
    std::ignore = reader->register_variable("X");
    std::ignore = lockstep->register_variable("X");
    loop_.advance(1s);
    for (int i = 1; i <= 3; ++i) std::ignore = writer->notify("X", i);
    loop_.advance(1s);
    EXPECT_THAT(values(*reader), ElementsAre(1, 2, 3));
    EXPECT_THAT(values(*lockstep), ElementsAre(1, 2, 3));
}

TEST_F(BrokerServerTest, ForgetsAClientThatLeaves) {
    auto guest = client("guest");
    loop_.advance(1s);
    EXPECT_EQ(server_.broker().client_count(), 1u);
    guest.reset();
    loop_.advance(1s);
    EXPECT_EQ(server_.broker().client_count(), 0u);
}

TEST_F(BrokerServerTest, BringsTheLastValueOfABurstWhenTheIntervalHasPassed) {
    const auto reader = client("reader");
    loop_.advance(1s);
    std::ignore = reader->register_variable("X", 500ms);
    for (int i = 1; i <= 3; ++i) std::ignore = reader->notify("X", i);
    loop_.advance(400ms);
    EXPECT_THAT(values(*reader), ElementsAre(1));
    loop_.advance(200ms);
    EXPECT_THAT(values(*reader), ElementsAre(3));
}

/// A connection that sends given bytes and counts the bytes received.
class HandshakePeer final : StreamEvents {
public:
    explicit HandshakePeer(Network& network)
        : stream_(network.connect(Address::ip("127.0.0.1", 9000), *this)) {}
    void send(ByteView bytes) { std::ignore = stream_->write({&bytes, 1}); }
    std::size_t received = 0;

private:
    void on_readable() override {
        std::byte room[1024];
        received += stream_->read(room).value_or(0);
    }
    void on_writable() override {}

    std::unique_ptr<Stream> stream_;
};

TEST(BrokerServerTurn, ProcessesTheInputOfAClientInSeveralTurns) {
    VirtualLoop loop;
    MemoryNetwork network{loop};
    NullLog log;
    BrokerServer server{loop, network, {.broker = {.limits = {.turn_work = 10}}}, log};
    ASSERT_TRUE(server.listen(Address::ip("127.0.0.1", 9000)));
    HandshakePeer peer(network);
    loop.advance(10ms);
    peer.send(wire::greeting());
    peer.send(wire::encode_packet(wire::MessageView{.type = wire::MessageType::data,
                                                    .data_type = wire::DataType::string,
                                                    .key = wire::asynchronous,
                                                    .payload = "greedy"}));
    loop.advance(10ms);
    for (int i = 0; i < 3; ++i) {
        const wire::Message demand{.type = wire::MessageType::wildcard_register,
                                   .data_type = wire::DataType::string,
                                   .payload = "AppPattern=*,VarPattern=DB_*"};
        peer.send(wire::encode_packet(std::vector<wire::Message>(100, demand)));
        peer.send(wire::encode_packet(wire::MessageView{
            .type = wire::MessageType::notify, .key = "LAST", .value = static_cast<double>(i)}));
        loop.advance(10ms);
        ASSERT_NE(server.broker().exchange().find("LAST"), nullptr);
        EXPECT_EQ(server.broker().exchange().find("LAST")->value().value, i);
    }
}

TEST_F(BrokerServerTest, FinishesHandshakesThatHaveBegunBeforeItStops) {
    HandshakePeer peer(network_);
    loop_.advance(10ms);
    peer.send(wire::greeting());
    loop_.advance(10ms);
    bool stopped = false;
    server_.stop([&] { stopped = true; });
    loop_.advance(200ms);
    EXPECT_FALSE(stopped);
    peer.send(wire::encode_packet(wire::MessageView{.type = wire::MessageType::data,
                                                    .data_type = wire::DataType::string,
                                                    .key = wire::asynchronous,
                                                    .payload = "late"}));
    loop_.advance(50ms);
    EXPECT_TRUE(stopped);
    EXPECT_GT(peer.received, 0u) << "it was welcomed";
}

TEST_F(BrokerServerTest, StopsInTimeThoughAHandshakeIsNeverFinished) {
    const HandshakePeer silent(network_);
    loop_.advance(10ms);
    bool stopped = false;
    server_.stop([&] { stopped = true; });
    loop_.advance(490ms);
    EXPECT_FALSE(stopped);
    loop_.advance(20ms);
    EXPECT_TRUE(stopped);
}

TEST(BrokerServerWarp, ScalesIntervals) {
    VirtualLoop loop;
    MemoryNetwork network(loop);
    NullLog log;
    BrokerServer server(loop, network, {.broker = {}, .warp = *Warp::make(10)}, log);
    ASSERT_TRUE(server.listen(Address::ip("127.0.0.1", 9000)));
    Client reader(loop, network, {.name = "reader"});
    ASSERT_TRUE(reader.start());
    std::ignore = reader.register_variable("X", 5s);
    loop.advance(100ms);
    std::ignore = reader.notify("X", 1);
    std::ignore = reader.notify("X", 2);
    loop.advance(400ms);
    EXPECT_EQ(reader.fetch().size(), 1u);
    loop.advance(200ms);  // 7 s of warped time
    EXPECT_EQ(reader.fetch().size(), 1u);
}

TEST(BrokerServerWarp, MultipliesStamps) {
    VirtualLoop loop;
    MemoryNetwork network(loop);
    NullLog log;
    BrokerServer server(loop, network, {.broker = {}, .warp = *Warp::make(10)}, log);
    loop.advance(1s);
    EXPECT_NEAR(server.broker().exchange().find("DB_TIME")->value().value,
                10 * to_unix_seconds(loop.clock().wall()), 11);
}

}  // namespace
}  // namespace caribou::bus
