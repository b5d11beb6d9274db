#include "bus/run_writer.hpp"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "wire/codec.hpp"

namespace caribou::bus {
namespace {

constexpr std::string_view community = "ours";

struct RunMessage {
    explicit RunMessage(double value, std::size_t payload = 0)
        : text(payload, 'x'),
          message{
              .type = wire::MessageType::notify, .source = "s", .key = "K", .value = value, .payload = text} {
        wire::append_message(raw, message);
    }

    std::string text;
    wire::MessageView message;
    Bytes raw;
};

void begin_run(RunWriter& writer, const RunMessage& first) {
    writer.begin(first.raw, first.message, community);
}

/// Returns a run that fills a block.
MessageRun full_run(RunWriter& writer) {
    const RunMessage message(1, 1000);
    begin_run(writer, message);
    while (writer.append_similar(message.raw)) {}
    return writer.run();
}

TEST(RunWriter, EncodesMessagesWithTheCommunity) {
    RunWriter writer;
    begin_run(writer, RunMessage(1));
    EXPECT_TRUE(writer.append_similar(RunMessage(2, 10).raw));
    const RunMessage third(3);
    EXPECT_TRUE(writer.append(third.raw, third.message, community));
    const MessageRun run = writer.run();
    EXPECT_EQ(run.count, 3u);
    Bytes expected;
    for (const auto& [value, payload] : {std::pair(1, 0), std::pair(2, 10), std::pair(3, 0)}) {
        wire::MessageView message = RunMessage(value).message;
        const std::string text(static_cast<std::size_t>(payload), 'x');
        message.payload = text;
        message.community = community;
        wire::append_message(expected, message);
    }
    EXPECT_EQ(Bytes(run.messages.begin(), run.messages.end()), expected);
    EXPECT_EQ(wire::decode_message(writer.newest())->value, 3);
}

TEST(RunWriter, UsesTheSameMemoryAgainUnlessItIsShared) {
    RunWriter writer;
    begin_run(writer, RunMessage(1));
    const auto* const first = writer.run().messages.data();
    begin_run(writer, RunMessage(2));
    EXPECT_EQ(writer.run().messages.data(), first);
    const SharedBytes shared = *writer.run().owner;
    begin_run(writer, RunMessage(3));
    EXPECT_NE(writer.run().messages.data(), first);
    EXPECT_EQ(wire::decode_message(ByteView(*shared).first(writer.newest().size()))->value, 2);
}

TEST(RunWriter, CopiesWhenTooManyBlocksAreShared) {
    RunWriter writer;
    std::vector<SharedBytes> kept;
    for (std::size_t i = 0; i < RunWriter::max_blocks; ++i) kept.push_back(*full_run(writer).owner);
    EXPECT_EQ(full_run(writer).owner, nullptr);
    EXPECT_EQ(full_run(writer).owner, nullptr);
    kept.pop_back();
    EXPECT_NE(full_run(writer).owner, nullptr);
    kept.clear();
    EXPECT_NE(full_run(writer).owner, nullptr);
}

}  // namespace
}  // namespace caribou::bus
