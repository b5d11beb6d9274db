// Client and broker of this project together, on a network that fails as a seed determines.

#include <map>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/check.hpp"
#include "base/log.hpp"
#include "bus/broker_server.hpp"
#include "bus/client.hpp"
#include "loop/memory_network.hpp"
#include "loop/virtual_loop.hpp"

namespace caribou::bus {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

struct House {
    explicit House(Faults faults = {}, std::uint64_t seed = 1) : network(loop, seed, faults) {
        start_broker();
    }

    void start_broker() {
        broker = std::make_unique<BrokerServer>(
            loop, network, BrokerServer::Options{.broker = {.community = "c", .hostname = "h"}}, log);
        caribou::check(broker->listen(Address::ip("127.0.0.1", 9000)).has_value(), "the port is free");
    }
    std::unique_ptr<Client> client(std::string name, CommsMode mode = CommsMode::asynchronous) {
        auto made =
            std::make_unique<Client>(loop, network, ClientOptions{.name = std::move(name), .mode = mode});
        caribou::check(made->start().has_value(), "the client starts");
        return made;
    }

    NullLog log;
    VirtualLoop loop;
    MemoryNetwork network;
    std::unique_ptr<BrokerServer> broker;
};

TEST(ClientAndBroker, PublishAndSubscribe) {
    House house;
    const auto writer = house.client("writer");
    const auto reader = house.client("reader");
    const auto lockstep = house.client("lockstep", CommsMode::synchronous);
    ASSERT_TRUE(reader->register_variable("X"));
    ASSERT_TRUE(lockstep->register_wildcard("*", "wri*"));
    house.loop.advance(1s);
    ASSERT_TRUE(writer->notify("X", 1.5));
    ASSERT_TRUE(writer->notify("X", 2.5, {.aux = "a"}));
    house.loop.advance(1s);
    for (Client* client : {reader.get(), lockstep.get()}) {
        const auto mail = client->fetch();
        ASSERT_EQ(mail.size(), 2u) << client->options().name;
        EXPECT_EQ(mail[0].value, 1.5);
        EXPECT_EQ(mail[1].aux, "a");
        EXPECT_EQ(mail[1].community, "c");
        EXPECT_EQ(mail[1].source, "writer");
    }
    EXPECT_EQ(reader->broker_host(), "h");
}

TEST(ClientAndBroker, AnswersRequests) {
    House house;
    for (const auto mode : {CommsMode::asynchronous, CommsMode::synchronous}) {
        const auto client = house.client("asker", mode);
        house.loop.advance(1s);
        std::map<std::string, std::size_t> answers;
        for (const std::string what : {"ALL", "VAR_SUMMARY", "PROC_SUMMARY"})
            ASSERT_TRUE(client->server_request(
                what, [&answers, what](auto got) { answers[what] = got ? got->size() : 0; }));
        house.loop.advance(2s);
        EXPECT_GE(answers["ALL"], 7u);
        EXPECT_EQ(answers["VAR_SUMMARY"], 1u);
        EXPECT_EQ(answers["PROC_SUMMARY"], 1u);
    }
}

TEST(ClientAndBroker, ComeTogetherAgainAfterTheBrokerRestarts) {
    House house;
    const auto writer = house.client("writer");
    const auto reader = house.client("reader");
    ASSERT_TRUE(reader->register_variable("X"));
    house.loop.advance(2s);
    house.broker.reset();
    house.loop.advance(3s);
    EXPECT_FALSE(reader->connected());
    ASSERT_TRUE(writer->notify("X", 7));
    house.start_broker();
    house.loop.advance(2s);
    const auto mail = reader->fetch();
    ASSERT_EQ(mail.size(), 1u);
    EXPECT_EQ(mail[0].value, 7);
}

TEST(ClientAndBroker, SurviveAHostThatVanishes) {
    House house;
    auto far = house.network.on_host("far");
    Client client(house.loop, *far, {.name = "far", .broker = Address::ip("base", 9000)});
    auto base = house.network.on_host("base");
    BrokerServer server(house.loop, *base, {}, house.log);
    ASSERT_TRUE(server.listen(Address::ip("0.0.0.0", 9000)));
    ASSERT_TRUE(client.start());
    house.loop.advance(1s);
    ASSERT_TRUE(client.connected());
    house.network.partition("far", "base");
    house.loop.advance(10s);
    EXPECT_FALSE(client.connected());
    house.network.heal("far", "base");
    house.loop.advance(10s);
    EXPECT_TRUE(client.connected());
}

/// For any seed: connections may break at any moment, but once the network is stable all registrations are
/// restored, and the messages of each writer arrived in order and unchanged.
RC_GTEST_PROP(ClientAndBroker, KeepTheirPromisesOnABadNetwork, (std::uint64_t seed)) {
    const std::string own_host(MemoryNetwork::own_host);
    House house({.min_delay = 1ms, .max_delay = 30ms, .split_reads = true, .stream_buffer = 2000}, seed);
    Random random(seed);
    const auto writer = house.client("writer");
    const auto reader = house.client("reader");
    std::set<std::string> registered;
    std::map<std::string, double> heard;
    bool in_order = true;
    reader->on_other_mail([&](const wire::MessageView& m) {
        double& last = heard.try_emplace(std::string(m.key), -1).first->second;
        // After a reconnect the latest value is delivered again.
        if (m.value < last) in_order = false;
        last = m.value;
    });
    double next = 0;
    for (int step = 0; step < 60; ++step) {
        const std::string key = "V" + std::to_string(random.below(5));
        switch (random.below(6)) {
            case 0:
                RC_ASSERT(reader->register_variable(key).has_value());
                registered.insert(key);
                break;
            case 1:
                RC_ASSERT(reader->unregister_variable(key).has_value());
                registered.erase(key);
                break;
            case 2: house.network.reset(own_host, own_host); break;
            case 3:
                house.broker.reset();
                house.start_broker();
                break;
            default: RC_ASSERT(writer->notify(key, next++).has_value());
        }
        house.loop.advance(std::chrono::milliseconds(random.below(400)));
    }
    RC_ASSERT(house.loop.run_until([&] { return writer->connected() && reader->connected(); }, 10s));
    house.loop.advance(8s);
    heard.clear();
    for (int i = 0; i < 5; ++i) RC_ASSERT(writer->notify("V" + std::to_string(i), next++).has_value());
    house.loop.advance(2s);
    std::set<std::string> came;
    for (const auto& [key, value] : heard)
        if (value >= next - 5) came.insert(key);
    RC_ASSERT(came == registered);
    RC_ASSERT(in_order);
    RC_ASSERT(writer->pending() == 0u);
}

TEST(Client, AdoptsTheWarpOfTheBrokerIfItIsToldTo) {
    for (const bool adopts : {false, true}) {
        VirtualLoop loop;
        MemoryNetwork network(loop);
        NullLog log;
        BrokerServer server(loop, network, {.broker = {}, .warp = *Warp::make(10)}, log);
        ASSERT_TRUE(server.listen(Address::ip("127.0.0.1", 9000)));
        Client client(loop, network, {.name = "tool", .adopt_warp = adopts});
        ASSERT_TRUE(client.start());
        loop.advance(1s);
        ASSERT_TRUE(client.connected());
        EXPECT_EQ(client.warp(), adopts ? 10 : 1);
        EXPECT_NEAR(client.stamp() / loop.clock().unix_seconds(), client.warp(), 1e-9);
        loop.advance(3s);
        const std::string notice(server.broker().exchange().find("DB_NOTICE")
                                     ? server.broker().exchange().find("DB_NOTICE")->value().payload
                                     : "");
        EXPECT_EQ(notice.contains("time_warp=tool"), !adopts) << notice;
    }
}

}  // namespace
}  // namespace caribou::bus
