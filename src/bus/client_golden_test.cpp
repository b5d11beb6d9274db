// The bytes a client sends equal those that a client of the original sent in the same situation, except for
// the time of day.

#include <gtest/gtest.h>

#include "bus/client_rig.hpp"
#include "wire/captured.hpp"

namespace caribou::bus {
namespace {

using namespace std::chrono_literals;

/// Returns a packet with the time fields of its messages set to zero, except for notifications with a fixed
/// time.
Bytes without_wall_clock(Bytes packet) {
    for (std::size_t at = wire::packet_header_size; at < packet.size();) {
        const auto size = static_cast<std::size_t>(load_le<std::int32_t>(packet.data() + at));
        const auto message = *wire::decode_message(ByteView(packet).subspan(at, size));
        const std::size_t time_at = at + 26 + message.source.size() + message.aux.size() +
                                    message.community.size() + message.key.size();
        if (message.type != wire::MessageType::notify && message.time > 0)
            store_le(packet.data() + time_at, 0.0);
        at += size;
    }
    return packet;
}

class GoldenClient : public testing::Test {
protected:
    void expect_written(std::string_view name) {
        rig.loop.run_ready();
        EXPECT_EQ(without_wall_clock(rig.broker().take_bytes()), without_wall_clock(wire::captured(name)))
            << name;
    }
    void pass() {
        rig.loop.run_ready();
        static_cast<void>(rig.broker().take_bytes());
    }
    void expect_greeting(std::string_view name_packet) {
        rig.loop.run_ready();
        const Bytes said = rig.broker().take_bytes();
        const auto border = said.begin() + wire::greeting_size;
        EXPECT_EQ(Bytes(said.begin(), border), wire::captured("01_handshake_c2db_protocol_string"));
        EXPECT_EQ(without_wall_clock(Bytes(border, said.end())),
                  without_wall_clock(wire::captured(name_packet)));
    }

    explicit GoldenClient(ClientOptions options = {.name = "vec"}) : rig(std::move(options)) {}

    ClientRig rig;
};

TEST_F(GoldenClient, WritesWhatAnAsynchronousOneWrote) {
    Client& client = rig.client;
    const NotifyOptions then{.time = 1234567890.5};
    rig.listen();
    ASSERT_TRUE(client.start());
    expect_greeting("02_handshake_c2db_data_name_async");
    rig.broker().send(wire::captured("03_handshake_db2c_welcome"));
    expect_written("04_timing_c2db");
    EXPECT_EQ(client.community(), "vecs");
    EXPECT_EQ(client.broker_host(), "vm");
    rig.broker().send(wire::captured("05_timing_db2c"));

    rig.run(1050ms);
    ASSERT_TRUE(client.notify("VEC_D", 3.25, then));
    expect_written("06_timing_plus_notify_double_c2db");
    ASSERT_TRUE(client.notify("VEC_S", "hello moos", then));
    expect_written("09_notify_string_c2db");
    const std::array binary{std::byte{0}, std::byte{1}, std::byte{2}, std::byte{0xfe}, std::byte{0xff}};
    ASSERT_TRUE(client.notify("VEC_B", ByteView(binary), then));
    expect_written("10_notify_binary_c2db");
    ASSERT_TRUE(client.notify("VEC_A", 7.0, {.aux = "auxinfo", .time = 1234567890.5}));
    expect_written("11_notify_double_with_srcaux_c2db");
    ASSERT_TRUE(client.register_variable("VEC_D"));
    expect_written("12_register_c2db");
    ASSERT_TRUE(client.register_variable("VEC_S", 500ms));
    expect_written("14_register_interval_half_second_c2db");
    ASSERT_TRUE(client.register_wildcard("VEC_*", "*", 250ms));
    expect_written("15_wildcard_register_c2db");
    ASSERT_TRUE(client.register_variable("NEVER_WRITTEN"));
    pass();
    ASSERT_TRUE(client.notify("VEC_D", 4.5, {.time = 1234567891.5}));
    expect_written("07_notify_double_c2db");
    ASSERT_TRUE(client.unregister_variable("VEC_A"));
    pass();
    ASSERT_TRUE(client.unregister_variable("VEC_D"));
    expect_written("17_unregister_c2db");
    ASSERT_TRUE(client.unregister_wildcard("VEC_*", "*"));
    expect_written("18_wildcard_unregister_c2db");
}

TEST_F(GoldenClient, AsksAndUnderstandsAnswersAsTheyWere) {
    Client& client = rig.client;
    rig.connect();
    pass();
    std::vector<std::size_t> answers;
    const auto count = [&](Result<Packet> answer) { answers.push_back(answer ? answer->size() : 999); };
    ASSERT_TRUE(client.server_request("VAR_SUMMARY", count));
    expect_written("19_server_request_VAR_SUMMARY_c2db");
    rig.broker().send(wire::captured("20_server_reply_VAR_SUMMARY_db2c"));
    rig.loop.run_ready();
    ASSERT_TRUE(client.server_request("PROC_SUMMARY", count));
    expect_written("21_server_request_PROC_SUMMARY_c2db");
    rig.broker().send(wire::captured("22_server_reply_PROC_SUMMARY_db2c"));
    rig.run(1050ms);
    ASSERT_TRUE(client.server_request("ALL", count));
    expect_written("23_timing_plus_server_request_ALL_c2db");
    rig.broker().send(wire::captured("24_timing_plus_server_reply_ALL_db2c"));
    rig.loop.run_ready();
    ASSERT_TRUE(client.server_request("DB_CLEAR"));
    expect_written("25_server_request_DB_CLEAR_c2db_no_reply");
    EXPECT_EQ(answers, (std::vector<std::size_t>{1, 1, 12}));
}

TEST_F(GoldenClient, ReadsMailAsItWas) {
    rig.connect();
    rig.broker().send(wire::captured("08_notify_double_delivery_db2c"));
    rig.broker().send(wire::captured("16_wildcard_register_reply_db2c"));
    rig.broker().send(wire::captured("26_db_housekeeping_vars_db2c"));
    rig.loop.run_ready();
    const Packet mail = rig.client.fetch();
    ASSERT_EQ(mail.size(), 18u);  // one, four, and fourteen without TIMING
    EXPECT_EQ(mail[0].value, 4.5);
    EXPECT_EQ(mail[1].aux, "auxinfo");
    EXPECT_EQ(mail[5].key, "DB_TIME");
}

class GoldenSynchronousClient : public GoldenClient {
protected:
    GoldenSynchronousClient() : GoldenClient({.name = "syncvec", .mode = CommsMode::synchronous}) {}
};

TEST_F(GoldenSynchronousClient, WritesWhatASynchronousOneWrote) {
    rig.listen();
    ASSERT_TRUE(rig.client.start());
    expect_greeting("30_sync_handshake_c2db_name");
    rig.broker().send(wire::captured("31_sync_handshake_db2c_welcome"));
    expect_written("32_sync_null_c2db");
    rig.broker().send(wire::captured("33_sync_null_reply_db2c"));
    rig.loop.run_ready();
    ASSERT_TRUE(rig.client.notify("VEC_D", 3.25, {.time = 1234567890.5}));
    rig.run(200ms);
    expect_written("34_sync_notify_double_c2db");
}

}  // namespace
}  // namespace caribou::bus
