#include "bus/pshare.hpp"

#include <fstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <test_paths.hpp>
#include "bus/app_status.hpp"
#include "wire/codec.hpp"

namespace caribou::bus {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

const PshareChannels channels{};

/// Returns the lines of a golden file that are not comments.
std::vector<std::string> golden_lines(const std::string& name) {
    std::ifstream file(tests::in_repository("tests/golden/moos-pshare/" + name));
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);)
        if (!line.empty() && !line.starts_with('#')) lines.push_back(line);
    EXPECT_FALSE(lines.empty()) << name;
    return lines;
}

Bytes from_hex(std::string_view digits) {
    Bytes bytes;
    for (std::size_t at = 0; at + 1 < digits.size(); at += 2)
        bytes.push_back(static_cast<std::byte>(std::stoi(std::string(digits.substr(at, 2)), nullptr, 16)));
    return bytes;
}

Bytes golden(const std::string& name) { return from_hex(golden_lines(name + ".hex").at(0)); }

/// A value as the broker of the community alpha delivers it.
wire::MessageView value_of(std::string_view key, double number, std::int32_t id = 1) {
    return {.id = id,
            .type = wire::MessageType::notify,
            .source = "vec",
            .community = "alpha",
            .key = key,
            .time = 1234567890.5,
            .value = number};
}

struct Sharing {
    explicit Sharing(std::initializer_list<std::string_view> texts = {}) {
        for (const std::string_view text : texts) output(text);
    }
    void output(std::string_view text, Duration at = 0s) {
        const auto outputs = parse_pshare_output(text, channels);
        ASSERT_TRUE(outputs) << text << ": " << outputs.error().message;
        for (const PshareOutput& one : *outputs) ASSERT_TRUE(share.add(one, Instant(at)));
    }
    std::size_t input(std::string_view text) {
        const auto inputs = parse_pshare_input(text, channels);
        EXPECT_TRUE(inputs) << text;
        return share.add(inputs->at(0)).value_or(99);
    }
    std::vector<Pshare::Parcel> send(const wire::MessageView& value, Duration at = 0s) {
        return share.outgoing(value, "alpha", Instant(at));
    }
    /// Sends one value; returns the names under which it is sent.
    std::vector<std::string> names(std::string_view key, Duration at = 0s) {
        std::vector<std::string> names;
        for (const auto& parcel : send(value_of(key, 1), at))
            names.emplace_back(wire::decode_message(parcel.bytes)->key);
        return names;
    }
    Pshare share;
};

TEST(Pshare, SendsTheBytesOfTheOriginal) {
    Sharing sharing{"src_name=VEC_D, route=127.0.0.1:24101",
                    "src_name=VEC_S, dest_name=VEC_S_OUT, route=127.0.0.1:24101",
                    "VEC_B -> 127.0.0.1:24101",
                    "src_name=VEC_MC, dest_name=MC_OUT, route=multicast_8",
                    "src_name=WILD_*, dest_name=PRE_, route=127.0.0.1:24101",
                    "src_name=CARET_*, dest_name=^, route=127.0.0.1:24101"};
    const auto sent = [&](const wire::MessageView& value) { return sharing.send(value).at(0); };
    EXPECT_EQ(sent(value_of("VEC_D", 4.5)).bytes, golden("01_double"));
    auto text = value_of("VEC_S", -1, 2);
    text.data_type = wire::DataType::string;
    text.aux = "aux1";
    text.payload = "hello, world";
    EXPECT_EQ(sent(text).bytes, golden("02_string_renamed_aux"));
    auto binary = value_of("VEC_B", -1, 3);
    binary.data_type = wire::DataType::binary;
    binary.payload = std::string_view("\0\1\2\xff\n", 5);
    EXPECT_EQ(sent(binary).bytes, golden("03_binary"));
    const auto multicast = sent(value_of("VEC_MC", 7, 9));
    EXPECT_EQ(multicast.bytes, golden("04_multicast_8"));
    EXPECT_EQ(multicast.route.to.text(), "224.1.1.11:24468:multicast_8");
    EXPECT_EQ(sent(value_of("WILD_A", 2, 13)).bytes, golden("07_wildcard_prefix"));
    EXPECT_EQ(sent(value_of("CARET_ME", 3, 15)).bytes, golden("08_caret"));
}

TEST(Pshare, ReceivesTheBytesOfTheOriginal) {
    Sharing sharing;
    const std::size_t input = sharing.input("route=localhost:9301");
    const Bytes first = golden("06_foreign_community");
    const auto number = sharing.share.incoming(input, first);
    ASSERT_TRUE(number);
    EXPECT_EQ(number->key, "VEC_D");
    EXPECT_EQ(number->community, "otherveh");
    EXPECT_EQ(number->source, "vec");
    EXPECT_EQ(number->time, 1234567890.5);
    std::size_t received = 0;
    for (const std::string& line : golden_lines("05_three_messages_three_datagrams.hex")) {
        const Bytes datagram = from_hex(line);
        if (sharing.share.incoming(input, datagram)) ++received;
    }
    EXPECT_EQ(received, 3u);
}

TEST(Pshare, PublishesTheSummariesOfTheOriginal) {
    Sharing sharing;
    sharing.output("src_name=DYN, dest_name=DYN_OUT, route=127.0.0.1:24102 & multicast_8");
    sharing.output("VEC_SHORT -> RENAMED:127.0.0.1:24101@5 & 127.0.0.1:24102");
    for (const auto* name : {"FROMAPP_X", "LOOP", "ONCE", "VEC_B", "VEC_D", "VEC_DUR", "VEC_FREQ", "VEC_MAX"})
        sharing.output(std::string("src_name=") + name + ", route=127.0.0.1:24101");
    sharing.output("VEC_MC -> MC_OUT:multicast_8");
    sharing.output("src_name=VEC_S, dest_name=VEC_S_OUT, route=127.0.0.1:24101");
    sharing.output("src_name=VEC_TWO, dest_name=TWO_X, route=127.0.0.1:24101 & 127.0.0.1:24102");
    sharing.output("VEC_ZERO -> 127.0.0.1:24101");
    sharing.output("src_name=WILD_*, dest_name=PRE_, route=127.0.0.1:24101");
    sharing.output("src_name=CARET_*, dest_name=^, route=127.0.0.1:24101");
    for (const auto* variable : {"WILD_A", "WILD_IN", "WILD_S", "CARET_ME"}) sharing.names(variable);
    for (const auto* port : {"24103", "24104", "24105"})
        sharing.input(std::string("route=127.0.0.1:") + port);
    sharing.input("route=multicast_9");
    sharing.input("multicast_10");
    const auto captured = golden_lines("summaries.txt");
    EXPECT_EQ("PSHARE_OUTPUT_SUMMARY = " + sharing.share.output_summary(), captured.at(0));
    EXPECT_EQ("PSHARE_INPUT_SUMMARY = " + sharing.share.input_summary(), captured.at(1));
}

TEST(Pshare, PublishesTheStatusOfTheOriginal) {
    AppStatus status{.uptime = from_seconds(44.9058),
                     .usage = {.cpu_percent = 0.3461, .memory_kb = 5580, .memory_max_kb = 5364},
                     .name = "pShare",
                     .publishing = {"PSHARE_INPUT_SUMMARY", "PSHARE_OUTPUT_SUMMARY", "PSHARE_STATUS"}};
    for (const auto* variable : {"DYN", "LOOP", "ONCE", "PSHARE_CMD", "VEC_B", "VEC_D", "VEC_DUR", "VEC_FREQ",
                                 "VEC_MAX", "VEC_MC", "VEC_S", "VEC_SHORT", "VEC_TWO", "VEC_ZERO"})
        status.subscribing.emplace(variable);
    EXPECT_EQ("PSHARE_STATUS = " + to_string(status), golden_lines("summaries.txt").at(2));
}

TEST(Pshare, LimitsFrequencyNumberAndDuration) {
    Sharing sharing{"X -> 127.0.0.1:9300@5", "src_name=N, route=127.0.0.1:9300, max_shares=2",
                    "src_name=D, route=127.0.0.1:9300, duration=60"};
    EXPECT_THAT(sharing.names("X"), SizeIs(1));
    EXPECT_THAT(sharing.names("X", 199ms), IsEmpty()) << "a value that comes too early is dropped";
    EXPECT_THAT(sharing.names("X", 200ms), SizeIs(1));
    EXPECT_THAT(sharing.names("N"), SizeIs(1));
    EXPECT_THAT(sharing.names("N"), SizeIs(1));
    EXPECT_THAT(sharing.names("N"), IsEmpty());
    sharing.output("src_name=N, route=127.0.0.1:9300, max_shares=1");
    EXPECT_THAT(sharing.names("N"), SizeIs(1)) << "the same route again begins to count anew";
    EXPECT_THAT(sharing.names("D", 60s), SizeIs(1));
    EXPECT_THAT(sharing.names("D", 61s), IsEmpty());
}

TEST(Pshare, CountsValuesThatWereReplacedWhileTheyWaitedAsSpared) {
    Pshare share;
    const auto outputs = parse_pshare_output("src_name=X, route=127.0.0.1:9300, max_shares=2", {});
    ASSERT_TRUE(share.add(outputs->front(), Instant{1s}));
    const auto offer = [&](bool replaces) {
        const wire::MessageView value{.community = "alpha", .key = "X", .value = 1};
        const auto parcels = share.outgoing(value, "alpha", Instant{1s});
        for (const auto& parcel : parcels)
            if (replaces) share.count_replaced(parcel);
        return parcels.size();
    };
    EXPECT_EQ(offer(false), 1U);
    for (int i = 0; i < 9; ++i) EXPECT_EQ(offer(true), 1U) << "max_shares counts what is sent";
    EXPECT_THAT(share.table(), HasSubstr("X -> X at 127.0.0.1:9300: 1 sent, 9 spared"));
    EXPECT_EQ(offer(false), 1U);
    EXPECT_EQ(offer(false), 0U);
}

TEST(Pshare, SendsTheLatestValueOnceForADurationOfZero) {
    Sharing sharing{"src_name=X, route=127.0.0.1:9300, duration=0"};
    EXPECT_THAT(sharing.names("X"), SizeIs(1));
    EXPECT_THAT(sharing.names("X"), IsEmpty());
    sharing.output("src_name=X, route=127.0.0.1:9300, duration=0");
    EXPECT_THAT(sharing.names("X"), SizeIs(1));
}

TEST(Pshare, SendsNothingOnThatCameFromAnotherCommunity) {
    auto foreign = value_of("X", 1);
    foreign.community = "bravo";
    Sharing sharing{"* -> 127.0.0.1:9300", "X -> 127.0.0.1:9301"};
    EXPECT_THAT(sharing.send(foreign), IsEmpty());
    EXPECT_EQ(sharing.share.counts().foreign, 1u);
    Pshare forwarding(true);
    ASSERT_TRUE(forwarding.add(parse_pshare_output("X -> 127.0.0.1:9301", channels)->at(0), Instant()));
    EXPECT_THAT(forwarding.outgoing(foreign, "alpha", Instant()), SizeIs(1));
}

TEST(Pshare, LetsTheFirstPatternInTheAlphabetTakeEffect) {
    Sharing sharing{"src_name=QY*, dest_name=Q_, route=127.0.0.1:9300",
                    "src_name=*, dest_name=A_, route=127.0.0.1:9301 & 127.0.0.1:9302",
                    "src_name=Z:other, route=127.0.0.1:9300"};
    EXPECT_THAT(sharing.names("QYX"), ElementsAre("A_QYX", "A_QYX"));
    EXPECT_THAT(sharing.names("DB_TIME"), IsEmpty()) << "the broker's own";
    Sharing by_writer{"src_name=Z:other, route=127.0.0.1:9300"};
    EXPECT_THAT(by_writer.names("Z"), IsEmpty()) << "written by vec";
    auto other = value_of("Z", 1);
    other.source = "other";
    EXPECT_THAT(by_writer.send(other), SizeIs(1));
}

TEST(Pshare, SendsNoMessageOfMoreThan48KiB) {
    Sharing sharing{"T -> 127.0.0.1:9300"};
    auto text = value_of("T", 0);
    text.data_type = wire::DataType::string;
    const std::string long_text(Pshare::largest_message - wire::encoded_size(text), 'x');
    text.payload = long_text;
    EXPECT_THAT(sharing.send(text), SizeIs(1));
    const std::string longer = long_text + "x";
    text.payload = longer;
    EXPECT_THAT(sharing.send(text), IsEmpty());
    EXPECT_EQ(sharing.share.counts().too_large, 1u);
}

TEST(Pshare, AcceptsValuesOfItsWhiteListOnly) {
    Sharing sharing{"V -> 127.0.0.1:9300", "NODE_X -> 127.0.0.1:9300"};
    const std::size_t input = sharing.input("route=localhost:9301, white_list=NODE_*&DEPLOY");
    EXPECT_FALSE(sharing.share.incoming(input, sharing.send(value_of("V", 1)).at(0).bytes));
    EXPECT_TRUE(sharing.share.incoming(input, sharing.send(value_of("NODE_X", 1)).at(0).bytes));
    Bytes registration;
    auto message = value_of("NODE_X", 1);
    message.type = wire::MessageType::register_;
    wire::append_message(registration, message);
    EXPECT_FALSE(sharing.share.incoming(input, registration));
    Bytes packet = wire::encode_packet(value_of("NODE_X", 1));
    EXPECT_FALSE(sharing.share.incoming(input, packet)) << "with the header of a packet";
    EXPECT_EQ(sharing.share.counts().not_listed, 1u);
    EXPECT_EQ(sharing.share.counts().not_a_value, 1u);
    EXPECT_EQ(sharing.share.counts().malformed, 1u);
}

TEST(PshareWords, AreReadInBothForms) {
    const auto outputs = parse_pshare_output(
        " SRC_NAME = X, dest_name=Y, Route=host:9300 & multicast_8, frequency=5, duration=60, max_shares=10",
        channels);
    ASSERT_TRUE(outputs) << outputs.error().message;
    ASSERT_EQ(outputs->size(), 2u);
    const PshareOutput expected{"X", "", "Y", {Address::ip("host", 9300), ""}, 5, 60, 10};
    EXPECT_EQ(outputs->at(0), expected);
    EXPECT_EQ(outputs->at(1).to.text(), "224.1.1.11:24468:multicast_8");
    const auto moved = parse_pshare_output("X->multicast_1", {.group = "239.0.0.1", .base_port = 5000});
    ASSERT_TRUE(moved);
    EXPECT_EQ(moved->at(0).to.text(), "239.0.0.1:5001:multicast_1");
    const auto command = parse_pshare_command("cmd = Output , src_name=A, route=1.2.3.4:5", channels);
    ASSERT_TRUE(command) << command.error().message;
    EXPECT_EQ(std::get<PshareOutputs>(*command).at(0).source, "A");
    EXPECT_TRUE(std::holds_alternative<PshareInputs>(*parse_pshare_command("cmd=input,route=h:1", channels)));
}

TEST(PshareWords, NameTheMistake) {
    const auto error = [](std::string_view text) {
        const auto outputs = parse_pshare_output(text, channels);
        return outputs ? "" : outputs.error().message;
    };
    EXPECT_EQ(error("X -> somewhere"), "`somewhere` is not an address; expected HOST:PORT or multicast_N");
    EXPECT_THAT(error("X"), HasSubstr("neither `src_name=X, route=HOST:PORT` nor `X -> HOST:PORT`"));
    EXPECT_EQ(error("src_nam=X, route=h:1"), "there is no `src_nam` here; did you mean `src_name`?");
    EXPECT_EQ(error("route=h:1"), "an output needs the name of a variable: src_name=X");
    EXPECT_EQ(error("src_name=X, route=h:1, frequency=often"), "frequency is `often`; expected a number");
    EXPECT_THAT(error("src_name=A*B, dest_name=^, route=h:1"), HasSubstr("dest_name=^ needs a pattern"));
    EXPECT_THAT(error("X -> h:70000"), HasSubstr("is not an address"));
    EXPECT_THAT(error("X -> multicast_x"), HasSubstr("is not a channel"));
    EXPECT_EQ(parse_pshare_command("cmd=stop", channels).error().message,
              "cmd is `stop`; expected output or input");
}

/// Whatever communities share with each other by patterns, a value takes one step.
RC_GTEST_PROP(PshareProperty, NeverLoops, ()) {
    const auto count = *rc::gen::inRange<std::size_t>(2, 5);
    std::vector<Sharing> all(count);
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t j = 0; j < count; ++j)
            if (i != j && *rc::gen::arbitrary<bool>())
                all[i].output(fmt::format("{} -> 127.0.0.1:{}", *rc::gen::element("*", "X", "X*"), j + 1));
        all[i].input(fmt::format("127.0.0.1:{}", i + 1));
    }
    struct Step {
        std::size_t at;
        wire::Message value;
        int steps;
    };
    auto first = wire::own(value_of("X", 1));
    first.community = "c0";
    std::vector<Step> waiting{{0, first, 0}};
    while (!waiting.empty()) {
        const Step step = waiting.back();
        waiting.pop_back();
        RC_ASSERT(step.steps <= 1);
        const auto parcels =
            all[step.at].share.outgoing(wire::view(step.value), fmt::format("c{}", step.at), Instant());
        for (const auto& parcel : parcels) {
            const std::size_t to = parcel.route.to.at.port - 1U;
            const auto arrived = all[to].share.incoming(0, parcel.bytes);
            RC_ASSERT(arrived.has_value());
            waiting.push_back({to, wire::own(*arrived), step.steps + 1});
        }
    }
}

}  // namespace
}  // namespace caribou::bus
