// Process tests of `caribou share` as pShare: datagrams of a peer that the test plays.

#include <unistd.h>

#include <algorithm>
#include <optional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/log.hpp"
#include "bus/client.hpp"
#include "child/program.hpp"
#include "field/own_network.hpp"
#include "platform/event_loop.hpp"
#include "platform/socket_network.hpp"
#include "platform/temporary_folder.hpp"
#include "wire/codec.hpp"

namespace caribou::tests {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::HasSubstr;

/// A broker, a client, and a peer that speaks the protocol of pShare.
class PshareCli : public testing::Test {
protected:
    void SetUp() override {
        const std::string line = db.read_line(limit).value_or(":0");
        port = line.substr(line.rfind(':') + 1);
        client.emplace(
            loop, network,
            bus::ClientOptions{.name = "vec", .broker = Address::parse("127.0.0.1:" + port).value()});
        client->on_other_mail(
            [this](const wire::MessageView& message) { mail.push_back(wire::own(message)); });
        ASSERT_TRUE(client->register_wildcard("*", "*"));
        ASSERT_TRUE(client->start());
    }
    std::string block(const std::string& lines) {
        return folder.write("a.moos", "ServerHost = 127.0.0.1\nServerPort = " + port +
                                          "\nProcessConfig = pShare\n{\n" + lines + "\n}\n");
    }
    void listen(const Address& at) {
        auto bound = network.bind(at, [this] {
            std::array<std::byte, 2000> into{};
            while (const auto packet = peer->receive(into).value_or(std::nullopt)) {
                datagrams.emplace_back(into.begin(),
                                       into.begin() + static_cast<std::ptrdiff_t>(packet->size));
            }
        });
        ASSERT_TRUE(bound) << bound.error().message;
        peer = std::move(*bound);
    }
    /// Waits for a value of a variable that contains the text.
    std::optional<wire::Message> value_of(std::string_view key, std::string_view text = "") {
        std::optional<wire::Message> found;
        loop.run_until(
            [&] {
                for (const auto& message : mail)
                    if (message.key == key && message.payload.contains(text)) found = message;
                return found.has_value();
            },
            limit);
        return found;
    }
    std::optional<wire::MessageView> sent(std::string_view key) {
        std::optional<wire::MessageView> found;
        loop.run_until(
            [&] {
                for (const Bytes& datagram : datagrams)
                    if (auto message = wire::decode_message(datagram); message && message->key == key)
                        found = *message;
                return found.has_value();
            },
            limit);
        return found;
    }

    TemporaryFolder folder;
    ChildProcess db{command({"db", "--port", "0", "--community", "alpha"})};
    std::string port;
    NullLog log;
    EventLoop loop;
    SocketNetwork network{loop, log};
    std::optional<bus::Client> client;
    std::vector<wire::Message> mail;
    std::unique_ptr<Datagram> peer;
    std::vector<Bytes> datagrams;
};

TEST_F(PshareCli, SendsAndReceivesTheValuesOfItsBlockAndObeysCommands) {
    listen(Address::ip("127.0.0.1", 0));
    const std::string there = to_string(peer->address());
    ChildProcess share(command({"share", block("AppTick = 2\nOutput = X -> Y:" + there +
                                               "\nInput = route = localhost:0, white_list = NODE_*")}));
    ASSERT_TRUE(value_of("PSHARE_OUTPUT_SUMMARY", "X->Y:" + there));
    ASSERT_TRUE(client->notify("X", 4.5, {.time = 1234567890.5}));
    const auto y = sent("Y");
    ASSERT_TRUE(y);
    EXPECT_EQ(y->value, 4.5);
    EXPECT_EQ(y->source, "vec");
    EXPECT_EQ(y->community, "alpha");
    EXPECT_EQ(y->time, 1234567890.5);

    const auto inputs = value_of("PSHARE_INPUT_SUMMARY", "127.0.0.1:");
    ASSERT_TRUE(inputs);
    for (const auto* key : {"OTHER", "NODE_REPORT"}) {
        Bytes datagram;
        wire::append_message(datagram, {.type = wire::MessageType::notify,
                                        .data_type = wire::DataType::string,
                                        .source = "pNodeReporter",
                                        .community = "bravo",
                                        .key = key,
                                        .payload = "NAME=bravo"});
        ASSERT_TRUE(peer->send(Address::parse(inputs->payload).value(), datagram));
    }
    const auto report = value_of("NODE_REPORT");
    ASSERT_TRUE(report);
    EXPECT_EQ(report->community, "bravo");
    EXPECT_EQ(report->source, "pNodeReporter");
    EXPECT_TRUE(std::ranges::none_of(mail, [](const auto& message) { return message.key == "OTHER"; }));

    ASSERT_TRUE(client->notify("PSHARE_CMD", "cmd=output, src_name=Z, route=" + there));
    ASSERT_TRUE(value_of("PSHARE_OUTPUT_SUMMARY", "Z->Z:" + there));
    ASSERT_TRUE(client->notify("Z", "late"));
    EXPECT_TRUE(sent("Z"));
    share.signal(SIGTERM);
    EXPECT_EQ(end_of(share).code, 0);
}

TEST_F(PshareCli, ObeysACommandOnceWhosePatternMatchesTheCommandItself) {
    listen(Address::ip("127.0.0.1", 0));
    const std::string there = to_string(peer->address());
    ChildProcess share(command({"share", block("Output = X -> Y:" + there)}));
    ASSERT_TRUE(value_of("PSHARE_OUTPUT_SUMMARY", "X->Y"));
    ASSERT_TRUE(client->notify("Q", 1.0));
    ASSERT_TRUE(client->notify("PSHARE_CMD", "cmd=output, src_name=*, dest_name=T_, route=" + there));
    ASSERT_TRUE(sent("T_Q"));
    // Within the second until the next summary.
    mail.clear();
    datagrams.clear();
    ASSERT_TRUE(value_of("PSHARE_OUTPUT_SUMMARY", "T_Q"));
    EXPECT_LT(datagrams.size(), 30U);
    share.signal(SIGTERM);
    EXPECT_EQ(end_of(share).code, 0);
}

TEST_F(PshareCli, SendsNothingToOtherMachinesUnlessThatIsWritten) {
    const auto refused = run({"share", block("Output = X -> 192.0.2.7:9300")});
    EXPECT_EQ(refused.code, 2);
    EXPECT_THAT(refused.err, AllOf(HasSubstr("a.moos:5: error: Output: 192.0.2.7:9300 is on the network"),
                                   HasSubstr("add `insecure_lan = true`")));
    EXPECT_EQ(run({"share", block("Input = route=0.0.0.0:9300")}).code, 2);
    EXPECT_EQ(run({"share", block("Output = X -> multicast_8")}).code, 2);
    const auto no_key = run({"share", block("Input = route=127.0.0.1:0, key=nokey")});
    EXPECT_EQ(no_key.code, 2);
    EXPECT_THAT(no_key.err, HasSubstr("a.moos:5: error: Input: "));
    const auto checked = run({"mission", "check", block("Output = X -> 192.0.2.7:9300")});
    EXPECT_EQ(checked.code, 1);
    EXPECT_THAT(checked.err, HasSubstr("a.moos:5: error: Output: 192.0.2.7:9300 is on the network"));
    EXPECT_EQ(run({"mission", "check", block("Output = X -> 192.0.2.7:9300\ninsecure_lan = true")}).code, 0);
    const auto no_key_here = run({"mission", "check", block("Input = route=127.0.0.1:0, key=nokey")});
    EXPECT_EQ(no_key_here.code, 0) << "it may be on the vehicle";
    EXPECT_THAT(no_key_here.err, HasSubstr("a.moos:5: warning: Input: "));
    const auto wrong = run({"share", block("Output = X -> somewhere")});
    EXPECT_EQ(wrong.code, 2);
    EXPECT_THAT(wrong.err, HasSubstr("a.moos:5: error: Output: `somewhere` is not an address"));
    const auto both = run({"share", "--config", "s.toml", "more"});
    EXPECT_EQ(both.code, 2);

    ChildProcess share(command({"share", block("Output = X -> 127.0.0.1:9")}));
    ASSERT_TRUE(value_of("PSHARE_OUTPUT_SUMMARY", "X->X"));
    ASSERT_TRUE(client->notify("PSHARE_CMD", "cmd=output, src_name=SECRET, route=192.0.2.7:9300"));
    ASSERT_TRUE(client->notify("PSHARE_CMD", "cmd=output, src_name=B, route=127.0.0.1:9"));
    EXPECT_TRUE(value_of("PSHARE_OUTPUT_SUMMARY", "B->B:127.0.0.1:9, X->X")) << "without SECRET";
    share.signal(SIGTERM);
    EXPECT_THAT(end_of(share).err, HasSubstr("192.0.2.7:9300 is on the network"));
}

TEST_F(PshareCli, ReportsDatagramsThatAreSealedWithAnotherKey) {
    for (const char* const keys : {"ours", "theirs"})
        ASSERT_EQ(run({"pair", "--keys", folder / keys, "make", "link"}).code, 0);
    const auto keys = [&](const char* name) { return "keys = " + (folder / name).string() + "\n"; };
    ChildProcess to(command({"share", block(keys("ours") + "Input = route=127.0.0.1:0, key=link")}));
    const auto inputs = value_of("PSHARE_INPUT_SUMMARY", "127.0.0.1:");
    ASSERT_TRUE(inputs);
    const std::string there = inputs->payload.substr(0, inputs->payload.find(':', 10));
    ChildProcess from(command(
        {"share", block(keys("theirs") + "Output = src_name=X, dest_name=Y, route=" + there + ", key=link"),
         "from"}));
    ASSERT_TRUE(value_of("PSHARE_OUTPUT_SUMMARY", "X->Y"));
    ASSERT_TRUE(client->notify("X", 1.0));
    ASSERT_TRUE(client->notify("APPCAST_REQ", "node=all,app=all,duration=60,key=test,thresh=any"));
    EXPECT_TRUE(value_of("APPCAST", "datagrams sealed with another key arrive from 127.0.0.1"));
    to.signal(SIGTERM);
    EXPECT_THAT(end_of(to).err, HasSubstr("datagrams sealed with another key arrive from 127.0.0.1"));
}

TEST(PshareMulticast, CarriesAValueOverAChannel) {
    if (::geteuid() != 0) GTEST_SKIP() << "a network namespace takes root";
    const OwnNetwork own;
    ASSERT_TRUE(own && OwnNetwork::route_multicast());
    TemporaryFolder folder;
    const auto block = [&](int port, const std::string& lines) {
        const std::string at = std::to_string(port);
        return folder.write("m" + at + ".moos", "ServerHost = 127.0.0.1\nServerPort = " + at +
                                                    "\nProcessConfig = pShare\n{\ninsecure_lan = true\n" +
                                                    lines + "\n}\n");
    };
    ChildProcess alpha(command({"db", "--port", "9000", "--community", "alpha"}));
    ChildProcess shore(command({"db", "--port", "9001", "--community", "shore"}));
    ASSERT_TRUE(alpha.read_line(limit) && shore.read_line(limit));
    ChildProcess watch(command({"watch", "Y", "--port", "9001"}));
    ChildProcess inputs(command({"watch", "PSHARE_INPUT_SUMMARY", "--port", "9001"}));
    ChildProcess outputs(command({"watch", "PSHARE_OUTPUT_SUMMARY", "--port", "9000"}));
    ChildProcess from(command({"share", block(9000, "Output = X -> Y:multicast_8")}));
    ChildProcess to(command({"share", block(9001, "Input = route = multicast_8")}));
    EXPECT_THAT(inputs.read_line(limit).value_or(""), HasSubstr("224.1.1.11:24468:multicast_8"));
    EXPECT_THAT(outputs.read_line(limit).value_or(""), HasSubstr("X->Y:224.1.1.11:24468:multicast_8"));
    EXPECT_EQ(run({"poke", "X=7", "--port", "9000"}).code, 0);
    EXPECT_THAT(watch.read_line(limit).value_or(""), HasSubstr("7"));
}

}  // namespace
}  // namespace caribou::tests
