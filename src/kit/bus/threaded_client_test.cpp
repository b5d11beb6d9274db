#include "kit/bus/threaded_client.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <thread>

#include "base/log.hpp"
#include "kit/bus/broker_thread_rig.hpp"

namespace caribou {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

constexpr Duration mail_limit = 20s;

class ThreadedClientTest : public testing::Test {
protected:
    std::unique_ptr<ThreadedClient> start(std::string name, ThreadedClientOptions options = {}) {
        options.client.name = std::move(name);
        options.client.broker = address;
        auto client = ThreadedClient::start(std::move(options), log);
        EXPECT_TRUE(client.has_value());
        return std::move(*client);
    }
    /// Fetches mail until there are `count` messages.
    static std::vector<wire::Message> fetch(ThreadedClient& client, std::size_t count) {
        std::vector<wire::Message> all;
        while (all.size() < count && client.wait_for_mail(mail_limit))
            for (auto& message : client.fetch()) all.push_back(std::move(message));
        return all;
    }

    MemoryLog log;
    Address address = Address::ip("127.0.0.1", 1);  // no broker is listening there
};

class ConnectedThreadedClientTest : public ThreadedClientTest {
protected:
    ConnectedThreadedClientTest() { address = broker.address; }
    BrokerThread broker;
};

TEST_F(ThreadedClientTest, RefusesWhatAClientRefuses) {
    const auto client = ThreadedClient::start({}, log);
    ASSERT_FALSE(client);
    EXPECT_EQ(client.error().code, Code::invalid_argument);
}

TEST_F(ThreadedClientTest, BlocksForAsLongAsItMayWhenFull) {
    const auto client =
        start("c", {.client = {.outbox = {.messages = 1}}, .block_limit = 10ms, .linger = 0s});
    ASSERT_EQ(client->notify("A", 1), Pushed::accepted);
    const auto second = client->notify("A", 2);
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().code, Code::timed_out);
    EXPECT_THAT(second.error().message, HasSubstr("outbox.messages"));
    EXPECT_EQ(client->stats().refused, 1u);
    EXPECT_FALSE(client->wait_for_mail(0s));
    EXPECT_FALSE(client->wait_until_connected(0s));
}

TEST_F(ThreadedClientTest, DropsTheOldestOrRefusesIfToldSo) {
    const bus::ClientOptions small{.outbox = {.messages = 2}};
    const auto dropping =
        start("d", {.client = small, .when_full = WhenOutboxFull::drop_oldest, .linger = 0s});
    const auto refusing = start("r", {.client = small, .when_full = WhenOutboxFull::refuse, .linger = 0s});
    for (int i = 0; i < 2; ++i) {
        EXPECT_EQ(dropping->notify("A", i), Pushed::accepted);
        EXPECT_EQ(refusing->notify("A", i), Pushed::accepted);
    }
    EXPECT_EQ(dropping->notify("A", 2), Pushed::dropped_oldest);
    EXPECT_EQ(dropping->stats().dropped_oldest, 1u);
    EXPECT_EQ(dropping->pending(), 2u);
    EXPECT_EQ(refusing->notify("A", 2).error().code, Code::limit_exceeded);
    EXPECT_EQ(refusing->notify("A", std::string(20'000'000, 'x')).error().code, Code::limit_exceeded);
}

TEST_F(ThreadedClientTest, SaysAtTheEndWhatCouldNotBeSent) {
    { ASSERT_TRUE(start("c", {.linger = 0s})->notify("A", 1)); }
    EXPECT_TRUE(log.mentions("1 messages"));
}

TEST_F(ConnectedThreadedClientTest, PublishesAndSubscribes) {
    const auto reader = start("reader");
    const auto writer = start("writer");
    ASSERT_TRUE(reader->wait_until_connected(mail_limit));
    ASSERT_TRUE(reader->register_variable("NUMBER"));
    ASSERT_TRUE(reader->register_wildcard("TEXT*", "*"));
    ASSERT_TRUE(reader->server_request("VAR_SUMMARY", mail_limit));  // the registrations have arrived
    ASSERT_TRUE(writer->notify("NUMBER", 4.5, {.aux = "aux", .time = 17.0}));
    ASSERT_TRUE(writer->notify("TEXT", "hello"));
    const auto mail = fetch(*reader, 2);
    ASSERT_EQ(mail.size(), 2u);
    EXPECT_EQ(mail[0].value, 4.5);
    EXPECT_EQ(mail[0].time, 17.0);
    EXPECT_EQ(mail[0].aux, "aux");
    EXPECT_EQ(mail[0].source, "writer");
    EXPECT_EQ(mail[1].payload, "hello");
    EXPECT_GT(mail[1].time, 1e9);
}

TEST_F(ConnectedThreadedClientTest, TakesNotificationsFromManyThreadsAndLosesNone) {
    constexpr int threads = 4;
    constexpr int each = 2000;
    const auto reader = start("reader");
    ASSERT_TRUE(reader->register_wildcard("T*", "*"));
    ASSERT_TRUE(reader->wait_until_connected(mail_limit));
    ASSERT_TRUE(reader->server_request("VAR_SUMMARY", mail_limit));
    {
        const auto writer =
            start("writer",
                  {.client = {.outbox = {.messages = 50}}, .block_limit = mail_limit, .linger = mail_limit});
        std::vector<std::jthread> crowd;
        for (int t = 0; t < threads; ++t)
            crowd.emplace_back([&writer, t] {
                for (int i = 0; i < each; ++i)
                    ASSERT_EQ(writer->notify("T" + std::to_string(t), i), Pushed::accepted);
            });
    }
    const auto mail = fetch(*reader, threads * each);
    ASSERT_EQ(mail.size(), static_cast<std::size_t>(threads * each));
    std::map<std::string, double> next;
    for (const auto& message : mail) EXPECT_EQ(message.value, next[message.key]++);
}

TEST_F(ConnectedThreadedClientTest, RunsCallbacksOnItsOwnThreadWhereNothingWaits) {
    const auto client = start("c", {.client = {.outbox = {.messages = 1}}, .block_limit = 1h});
    std::latch heard(1);
    std::optional<Code> answer;
    client->on_mail("A", [&](const wire::MessageView&) {
        answer = client->server_request("ALL").error().code;
        EXPECT_FALSE(client->wait_for_mail(1h));
        EXPECT_TRUE(client->register_variable("B"));
        EXPECT_TRUE(client->connected());
        heard.count_down();
    });
    ASSERT_TRUE(client->register_variable("A"));
    ASSERT_TRUE(client->notify("A", 1));
    heard.wait();
    EXPECT_EQ(answer, Code::wrong_state);
}

TEST_F(ConnectedThreadedClientTest, TellsOfMailToFetch) {
    const auto client = start("c");
    std::latch heard(1);
    std::size_t fetched = 0;
    client->on_queued([&] {
        EXPECT_EQ(client->unread(), 1u);
        fetched += client->fetch().size();
        EXPECT_EQ(client->unread(), 0u);
        heard.count_down();
    });
    ASSERT_TRUE(client->register_variable("A"));
    ASSERT_TRUE(client->notify("A", 1));
    heard.wait();
    EXPECT_EQ(fetched, 1u);
}

TEST_F(ConnectedThreadedClientTest, CountsTheMailThatWasNotFetchedInTime) {
    const auto client = start("c", {.client = {.inbox = {.messages = 10}}});
    std::latch all(1);
    client->on_queued([&] {
        if (client->mail_lost() == 90) all.count_down();
    });
    ASSERT_TRUE(client->register_variable("A"));
    for (int i = 0; i < 100; ++i) ASSERT_TRUE(client->notify("A", i));
    ASSERT_TRUE(client->wait_until_sent(mail_limit));
    all.wait();
    EXPECT_EQ(client->fetch().back().value, 99);
    EXPECT_GT(client->stamp(), 1e9);
}

TEST_F(ThreadedClientTest, ConnectsWhenItIsStartedIfConfigured) {
    const BrokerThread broker;
    address = broker.address;
    const auto client = start("c", {.connect_at_start = false});
    ASSERT_TRUE(client->notify("A", 1));
    EXPECT_FALSE(client->wait_until_sent(0s));
    EXPECT_EQ(client->with_client([](bus::Client& inner) { return inner.state(); }), bus::ClientState::idle);
    ASSERT_TRUE(client->with_client([](bus::Client& inner) { return inner.start(); }));
    EXPECT_TRUE(client->wait_until_sent(mail_limit));
}

TEST_F(ConnectedThreadedClientTest, TellsOfItsConnection) {
    std::latch connected(1);
    std::latch disconnected(1);
    const auto client = start("c");
    client->on_disconnected([&](const Error&) { disconnected.count_down(); });
    ASSERT_TRUE(client->wait_until_connected(mail_limit));
    client->with_client([](bus::Client& inner) { inner.stop(); });
    disconnected.wait();
    EXPECT_FALSE(client->connected());
    client->on_connected([&] { connected.count_down(); });
    ASSERT_TRUE(client->with_client([](bus::Client& inner) { return inner.start(); }));
    connected.wait();
}

}  // namespace
}  // namespace caribou
