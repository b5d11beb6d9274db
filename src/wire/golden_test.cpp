#include <filesystem>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <test_paths.hpp>
#include "wire/captured.hpp"
#include "wire/codec.hpp"
#include "wire/message_test.hpp"
#include "wire/packet_reader.hpp"

/// Compares bytes captured from a real broker and its clients (tests/golden/moos/README.md) with the fields
/// they are known to contain. Fields not listed in an expectation have the defaults of the protocol.
namespace caribou::wire {
namespace {

const std::string greeting_file = "01_handshake_c2db_protocol_string";

const std::string five_bytes("\x00\x01\x02\xfe\xff", 5);

// clang-format off: a field a line would hide which messages make a packet

/// A line of DB_VARSUMMARY.
std::string line(std::string_view variable, std::string_view time, std::string_view source,
                 std::string_view hertz, char type, std::string_view value) {
    return fmt::format("{:<20} {:<20} {:<20} {:<4}Hz {}  {}\n", variable, time, source, hertz, type, value);
}

std::string pending(std::string_view variable, char type, std::string_view value = "") {
    return line(variable, "23:59:59.000", "(write pending)", "0.0", type, value);
}

// DB_VARSUMMARY, named by the broker's uptime in seconds: once with values, twice after DB_CLEAR.
const std::string summary_at_8_5 =
    line("DB_CLIENTS", "02:34:59.625", "MOOSDB_vecs", "0.4", 'S', "vec,") +
    line("DB_EVENT", "02:34:53.240", "MOOSDB_vecs", "0.0", 'S', "connected=vec") +
    line("DB_QOS", "02:34:57.624", "MOOSDB_vecs", "0.4", 'S', "vec=0:0.531912:0.15211...") +
    line("DB_RWSUMMARY", "02:34:57.624", "MOOSDB_vecs", "0.4", 'S', "vec=NEVER_WRITTEN:VEC_...") +
    line("DB_TIME", "02:34:59.625", "MOOSDB_vecs", "0.4", 'D', "1794710099.6") +
    line("DB_UPTIME", "02:34:59.625", "MOOSDB_vecs", "0.4", 'D', "8.5") +
    line("DB_VARSUMMARY", "02:34:57.624", "MOOSDB_vecs", "0.4", 'S', "DB_CLIENTS           0...") +
    pending("NEVER_WRITTEN", '~') +
    line("VEC_A", "02:34:56.023", "vec", "0.0", 'D', "7.0") +
    line("VEC_B", "02:34:55.623", "vec", "0.0", 'B', "*binary* 5    B") +
    line("VEC_D", "02:34:58.024", "vec", "0.2", 'D', "4.5") +
    line("VEC_S", "02:34:55.223", "vec", "0.0", 'S', "hello moos");

const std::string summary_at_0_7 =
    line("DB_CLIENTS", "02:35:01.792", "MOOSDB_vecs", "-0.7", 'S', "vec,") +
    pending("DB_EVENT", 'S') +
    pending("DB_QOS", 'S') +
    pending("DB_RWSUMMARY", 'S') +
    line("DB_TIME", "02:35:01.792", "MOOSDB_vecs", "-0.7", 'D', "1794710101.8") +
    line("DB_UPTIME", "02:35:01.792", "MOOSDB_vecs", "-0.7", 'D', "0.7") +
    pending("DB_VARSUMMARY", 'S') +
    pending("NEVER_WRITTEN", '~') +
    pending("VEC_A", 'D', "-1.0") +
    pending("VEC_B", 'B', "*binary* 0    B") +
    pending("VEC_D", 'D', "-1.0") +
    pending("VEC_S", 'S');

const std::string summary_at_3_0 =
    line("DB_CLIENTS", "02:35:04.129", "MOOSDB_vecs", "-0.1", 'S', "vec,") +
    pending("DB_EVENT", 'S') +
    line("DB_QOS", "02:35:01.792", "MOOSDB_vecs", "-0.7", 'S', "vec=0.174046:0.531912:...") +
    line("DB_RWSUMMARY", "02:35:01.792", "MOOSDB_vecs", "-0.7", 'S', "vec=NEVER_WRITTEN&") +
    line("DB_TIME", "02:35:04.129", "MOOSDB_vecs", "-0.1", 'D', "1794710104.1") +
    line("DB_UPTIME", "02:35:04.129", "MOOSDB_vecs", "-0.1", 'D', "3.0") +
    line("DB_VARSUMMARY", "02:35:01.792", "MOOSDB_vecs", "-0.7", 'S', "DB_CLIENTS           0...") +
    pending("NEVER_WRITTEN", '~') +
    pending("VEC_A", 'D', "-1.0") +
    pending("VEC_B", 'B', "*binary* 0    B") +
    pending("VEC_D", 'D', "-1.0") +
    pending("VEC_S", 'S') +
    line("VEC_TICK", "02:35:04.129", "vec", "0.0", 'D', "0.0");

/// The messages of each packet, by the name of its file.
const std::map<std::string, std::vector<Message>>& expectations() {
    using enum MessageType;
    using enum DataType;
    static const std::map<std::string, std::vector<Message>> all = {
        {"02_handshake_c2db_data_name_async",
         {{.type = data, .data_type = string, .key = "asynchronous", .time = 1794710093.123071,
           .payload = "vec"}}},
        {"03_handshake_db2c_welcome",
         {{.type = welcome, .aux = "hostname=vm", .community = "vecs", .time = 1794710093.240058,
           .value = 0.11698412895202637, .payload = "asynchronous"}}},
        {"04_timing_c2db",
         {{.type = timing, .key = "_async_timing", .time = 1794710093.573784, .value = 0}}},
        {"05_timing_db2c",
         {{.type = timing, .key = "_async_timing", .time = 1794710093.573784, .value = 1794710093.574247,
           .value2 = 0}}},
        {"06_timing_plus_notify_double_c2db",
         {{.type = timing, .key = "_async_timing", .time = 1794710094.8229, .value = 0},
          {.id = 0, .type = notify, .source = "vec", .key = "VEC_D", .time = 1234567890.5, .value = 3.25}}},
        {"07_notify_double_c2db",
         {{.id = 8, .type = notify, .source = "vec", .key = "VEC_D", .time = 1234567891.5, .value = 4.5}}},
        {"08_notify_double_delivery_db2c",
         {{.id = 8, .type = notify, .source = "vec", .community = "vecs", .key = "VEC_D",
           .time = 1234567891.5, .value = 4.5}}},
        {"09_notify_string_c2db",
         {{.id = 1, .type = notify, .data_type = string, .source = "vec", .key = "VEC_S",
           .time = 1234567890.5, .payload = "hello moos"}}},
        {"10_notify_binary_c2db",
         {{.id = 2, .type = notify, .data_type = binary, .source = "vec", .key = "VEC_B",
           .time = 1234567890.5, .payload = five_bytes}}},
        {"11_notify_double_with_srcaux_c2db",
         {{.id = 3, .type = notify, .source = "vec", .aux = "auxinfo", .key = "VEC_A", .time = 1234567890.5,
           .value = 7}}},
        {"12_register_c2db",
         {{.id = 4, .type = register_, .source = "vec", .key = "VEC_D", .time = 1794710096.423471,
           .value = 0}}},
        {"13_register_reply_latest_value_db2c",
         {{.type = notify, .source = "vec", .community = "vecs", .key = "VEC_D", .time = 1234567890.5,
           .value = 3.25}}},
        {"14_register_interval_half_second_c2db",
         {{.id = 5, .type = register_, .source = "vec", .key = "VEC_S", .time = 1794710096.823598,
           .value = 0.5}}},
        {"15_wildcard_register_c2db",
         {{.id = 6, .type = wildcard_register, .data_type = string, .source = "vec", .key = "vec",
           .time = 1794710097.223803, .payload = "AppPattern=*,VarPattern=VEC_*,Interval=0.25"}}},
        {"16_wildcard_register_reply_db2c",
         {{.type = notify, .source = "vec", .aux = "auxinfo", .community = "vecs", .key = "VEC_A",
           .time = 1234567890.5, .value = 7},
          {.type = notify, .data_type = binary, .source = "vec", .community = "vecs", .key = "VEC_B",
           .time = 1234567890.5, .payload = five_bytes},
          {.type = notify, .source = "vec", .community = "vecs", .key = "VEC_D", .time = 1234567890.5,
           .value = 3.25},
          {.type = notify, .data_type = string, .source = "vec", .community = "vecs", .key = "VEC_S",
           .time = 1234567890.5, .payload = "hello moos"}}},
        {"17_unregister_c2db",
         {{.id = 10, .type = unregister, .source = "vec", .key = "VEC_D", .time = 1794710098.824759,
           .value = 0}}},
        {"18_wildcard_unregister_c2db",
         {{.id = 11, .type = wildcard_unregister, .data_type = string, .source = "vec", .key = "vec",
           .time = 1794710099.224912, .payload = "AppPattern=*,VarPattern=VEC_*,Interval=0"}}},
        {"19_server_request_VAR_SUMMARY_c2db",
         {{.id = server_request_id, .type = server_request, .data_type = string, .source = "vec",
           .key = "VAR_SUMMARY", .time = 1794710099.62502}}},
        {"20_server_reply_VAR_SUMMARY_db2c",
         {{.id = server_request_id, .type = notify, .data_type = string, .source = "MOOSDB_vecs",
           .key = "VAR_SUMMARY", .time = 1794710099.625445,
           .payload = "DB_CLIENTS,DB_EVENT,DB_QOS,DB_RWSUMMARY,DB_TIME,DB_UPTIME,DB_VARSUMMARY,"
                      "NEVER_WRITTEN,VEC_A,VEC_B,VEC_D,VEC_S"}}},
        {"21_server_request_PROC_SUMMARY_c2db",
         {{.id = server_request_id, .type = server_request, .data_type = string, .source = "vec",
           .key = "PROC_SUMMARY", .time = 1794710100.125303}}},
        {"22_server_reply_PROC_SUMMARY_db2c",
         {{.id = server_request_id, .type = notify, .data_type = string, .source = "MOOSDB_vecs",
           .key = "PROC_SUMMARY", .time = 9.0138099193573,
           .payload = "vec:SUBSCRIBED=,NEVER_WRITTEN,PUBLISHED=,VEC_A,VEC_B,VEC_D,VEC_S"}}},
        {"23_timing_plus_server_request_ALL_c2db",
         {{.type = timing, .key = "_async_timing", .time = 1794710100.625586, .value = 0},
          {.id = server_request_id, .type = server_request, .data_type = string, .source = "vec",
           .key = "ALL", .time = 1794710100.625566}}},
        {"24_timing_plus_server_reply_ALL_db2c",
         {{.type = timing, .key = "_async_timing", .time = 1794710100.625586, .value = 1794710100.626006,
           .value2 = 0},
          {.id = server_request_id, .type = notify, .data_type = string, .source = "vec",
           .community = "vecs", .key = "VEC_S", .time = 4.11155891418457, .value2 = 0,
           .payload = "hello moos"},
          {.id = server_request_id, .type = notify, .source = "vec", .community = "vecs", .key = "VEC_D",
           .time = 6.912935018539429, .value = 4.5, .value2 = 0.15619216067515407},
          {.id = server_request_id, .type = notify, .data_type = binary, .source = "vec",
           .community = "vecs", .key = "VEC_B", .time = 4.511715888977051, .value2 = 0,
           .payload = five_bytes},
          {.id = server_request_id, .type = notify, .source = "vec", .aux = "auxinfo", .community = "vecs",
           .key = "VEC_A", .time = 4.911823987960815, .value = 7, .value2 = 0},
          {.id = server_request_id, .type = notify, .data_type = none, .key = "NEVER_WRITTEN", .value2 = 0},
          {.id = server_request_id, .type = notify, .data_type = string, .source = "MOOSDB_vecs",
           .community = "vecs", .key = "DB_VARSUMMARY", .time = 8.513835906982422,
           .value = 1794710091.111562, .value2 = 0.4358069106284972, .payload = summary_at_8_5},
          {.id = server_request_id, .type = notify, .source = "MOOSDB_vecs", .community = "vecs",
           .key = "DB_UPTIME", .time = 8.513763904571533, .value = 8.513763904571533,
           .value2 = 0.43580710501488884},
          {.id = server_request_id, .type = notify, .source = "MOOSDB_vecs", .community = "vecs",
           .key = "DB_TIME", .time = 8.5137619972229, .value = 1794710099.625446,
           .value2 = 0.43580719570836635},
          {.id = server_request_id, .type = notify, .data_type = string, .source = "MOOSDB_vecs",
           .community = "vecs", .key = "DB_RWSUMMARY", .time = 8.513849973678589,
           .value = 1794710091.111563, .value2 = 0.4358069339858947,
           .payload = "vec=NEVER_WRITTEN&VEC_A:VEC_B:VEC_D:VEC_S"},
          {.id = server_request_id, .type = notify, .data_type = string, .source = "MOOSDB_vecs",
           .community = "vecs", .key = "DB_QOS", .time = 8.513840913772583, .value = 1794710091.111562,
           .value2 = 0.43580706086524057, .payload = "vec=0.163078:0.531912:0.152111:0.362968,"},
          {.id = server_request_id, .type = notify, .data_type = string, .source = "MOOSDB_vecs",
           .community = "vecs", .key = "DB_EVENT", .time = 2.128466844558716, .value = 1794710091.11156,
           .value2 = 0, .payload = "connected=vec"},
          {.id = server_request_id, .type = notify, .data_type = string, .source = "MOOSDB_vecs",
           .community = "vecs", .key = "DB_CLIENTS", .time = 8.513775825500488, .value = 1794710091.11156,
           .value2 = 0.43580712597725046, .payload = "vec,"}}},
        {"25_server_request_DB_CLEAR_c2db_no_reply",
         {{.id = server_request_id, .type = server_request, .data_type = string, .source = "vec",
           .key = "DB_CLEAR", .time = 1794710101.125877}}},
        {"26_db_housekeeping_vars_db2c",
         {{.type = timing, .key = "_async_timing", .time = 1794710104.128861, .value = 1794710104.129471,
           .value2 = 0},
          {.type = notify, .source = "MOOSDB_vecs", .community = "vecs", .key = "DB_TIME",
           .time = 1794710101.792503, .value = 1794710101.792503},
          {.type = notify, .source = "MOOSDB_vecs", .community = "vecs", .key = "DB_UPTIME",
           .time = 1794710101.792507, .value = 0.666424036026001},
          {.type = notify, .data_type = string, .source = "MOOSDB_vecs", .community = "vecs",
           .key = "DB_CLIENTS", .time = 1794710101.792523, .payload = "vec,"},
          {.type = notify, .data_type = string, .source = "MOOSDB_vecs", .community = "vecs",
           .key = "DB_QOS", .time = 1794710101.792641, .payload = "vec=0.174046:0.531912:0.152111:0.365162,"},
          {.type = notify, .data_type = string, .source = "MOOSDB_vecs", .community = "vecs",
           .key = "DB_VARSUMMARY", .time = 1794710101.79264, .payload = summary_at_0_7},
          {.type = notify, .data_type = string, .source = "MOOSDB_vecs", .community = "vecs",
           .key = "DB_RWSUMMARY", .time = 1794710101.792659, .payload = "vec=NEVER_WRITTEN&"},
          {.id = 19, .type = notify, .source = "vec", .community = "vecs", .key = "VEC_TICK",
           .time = 1234567890.5, .value = 0},
          {.type = notify, .source = "MOOSDB_vecs", .community = "vecs", .key = "DB_TIME",
           .time = 1794710104.129505, .value = 1794710104.129505},
          {.type = notify, .source = "MOOSDB_vecs", .community = "vecs", .key = "DB_UPTIME",
           .time = 1794710104.129506, .value = 3.0034232139587402},
          {.type = notify, .data_type = string, .source = "MOOSDB_vecs", .community = "vecs",
           .key = "DB_CLIENTS", .time = 1794710104.129515, .payload = "vec,"},
          {.type = notify, .data_type = string, .source = "MOOSDB_vecs", .community = "vecs",
           .key = "DB_VARSUMMARY", .time = 1794710104.129583, .payload = summary_at_3_0},
          {.type = notify, .data_type = string, .source = "MOOSDB_vecs", .community = "vecs",
           .key = "DB_QOS", .time = 1794710104.129587, .payload = "vec=0.610113:0.610113:0.152111:0.452375,"},
          {.type = notify, .data_type = string, .source = "MOOSDB_vecs", .community = "vecs",
           .key = "DB_RWSUMMARY", .time = 1794710104.129605,
           .payload = "vec=DB_CLIENTS:DB_EVENT:DB_QOS:DB_RWSUMMARY:DB_TIME:DB_UPTIME:DB_VARSUMMARY:"
                      "NEVER_WRITTEN:VEC_TICK&VEC_TICK"}}},
        {"30_sync_handshake_c2db_name",
         {{.type = data, .data_type = string, .time = 1794710115.951136, .payload = "syncvec"}}},
        {"31_sync_handshake_db2c_welcome",
         {{.type = welcome, .aux = "hostname=vm", .community = "vecs", .time = 1794710116.064642,
           .value = 0.11350488662719727, .payload = "asynchronous"}}},
        {"32_sync_null_c2db",
         {{.type = null, .source = "syncvec"}}},
        {"33_sync_null_reply_db2c",
         {{.type = null, .value = 1794710116.069542}}},
        {"34_sync_notify_double_c2db",
         {{.id = 0, .type = notify, .source = "syncvec", .key = "VEC_D", .time = 1234567890.5,
           .value = 3.25}}},
        {"35_sync_notify_reply_db2c",
         {{.type = null, .value = 1794710117.675107}}},
        {"40_poison_duplicate_name_db2c",
         {{.type = poison, .data_type = string, .time = 1794710202.6218,
           .payload = R"(A client of this name ("dupe") already exists)"}}},
        {"41_poison_no_name_db2c",
         {{.type = poison, .data_type = string, .time = 1794710203.729844,
           .payload = "Failed to read receive client's name"}}}
    };
    return all;
}
// clang-format on

/// Returns the messages of a stream that contains exactly one packet.
std::vector<Message> messages_of(ByteView stream) {
    PacketReader reader(stream.size());
    std::vector<Message> messages;
    for (;;) {
        const auto step = reader.next(stream);
        if (!step) {
            ADD_FAILURE() << step.error().message;
            return messages;
        }
        stream = stream.subspan(step->consumed);
        if (step->kind == PacketReader::Step::Kind::message) messages.push_back(own(step->message));
        if (step->kind == PacketReader::Step::Kind::packet_end) break;
        if (step->kind == PacketReader::Step::Kind::need_more) {
            ADD_FAILURE() << "the packet ends too early, at offset " << reader.offset();
            break;
        }
    }
    EXPECT_TRUE(stream.empty()) << "bytes behind the packet";
    return messages;
}

void expect_same_fields(const Message& got, const Message& expected) {
    EXPECT_EQ(got.id, expected.id);
    EXPECT_EQ(got.type, expected.type);
    EXPECT_EQ(got.data_type, expected.data_type);
    EXPECT_EQ(got.source, expected.source);
    EXPECT_EQ(got.aux, expected.aux);
    EXPECT_EQ(got.community, expected.community);
    EXPECT_EQ(got.key, expected.key);
    EXPECT_EQ(got.time, expected.time);
    EXPECT_EQ(got.value, expected.value);
    EXPECT_EQ(got.value2, expected.value2);
    EXPECT_EQ(got.payload, expected.payload);
}

class Golden : public testing::TestWithParam<std::string> {};

TEST_P(Golden, DecodesToTheFieldsThatItsNameSays) {
    const auto messages = messages_of(captured(GetParam()));
    const auto& expected = expectations().at(GetParam());
    ASSERT_EQ(messages.size(), expected.size());
    for (std::size_t i = 0; i < messages.size(); ++i) {
        SCOPED_TRACE(testing::Message() << "message " << i);
        expect_same_fields(messages[i], expected[i]);
    }
}

TEST_P(Golden, IsWhatItsFieldsEncodeTo) {
    EXPECT_EQ(encode_packet(std::span(expectations().at(GetParam()))), captured(GetParam()));
}

TEST_P(Golden, EncodesBackToTheSameBytes) {
    const Bytes bytes = captured(GetParam());
    const auto messages = messages_of(bytes);
    EXPECT_EQ(encode_packet(std::span(messages)), bytes);
    if (messages.size() == 1) {
        EXPECT_EQ(encode_packet(view(messages[0])), bytes);
    }
}

std::vector<std::string> packet_files() {
    std::vector<std::string> names;
    for (const auto& [name, messages] : expectations()) names.push_back(name);
    return names;
}

INSTANTIATE_TEST_SUITE_P(Files, Golden, testing::ValuesIn(packet_files()),
                         [](const auto& file) { return file.param; });

TEST(GoldenFiles, GreetingIsTheProtocolString) {
    const Bytes bytes = captured(greeting_file);
    EXPECT_TRUE(is_greeting(bytes));
    EXPECT_EQ(text_of(bytes), text_of(greeting()));
}

TEST(GoldenFiles, DeliveryIsTheNotificationWithTheBrokersCommunity) {
    const Bytes sent = captured("07_notify_double_c2db");
    const auto raw = ByteView(sent).subspan(packet_header_size);
    Bytes delivered;
    append_packet_header(delivered, raw.size() + std::string("vecs").size(), 1);
    append_with_community(delivered, raw, *decode_message(raw), "vecs");
    EXPECT_EQ(delivered, captured("08_notify_double_delivery_db2c"));
}

TEST(GoldenFiles, NoneIsWithoutAnExpectation) {
    std::set<std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator(tests::in_repository("tests/golden/moos")))
        if (entry.path().extension() == ".hex") found.insert(entry.path().stem().string());
    std::set<std::string> expected = {greeting_file};
    for (const auto& name : packet_files()) expected.insert(name);
    EXPECT_EQ(found, expected);
}

}  // namespace
}  // namespace caribou::wire
