#include "link/topic_pieces.hpp"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "link/frame_outbox.hpp"
#include "link/frame_reader.hpp"

namespace caribou::link {
namespace {

/// Accepts a limited number of bytes.
class NarrowStream final : public Stream {
public:
    void attach(StreamEvents&) override {}
    Result<std::size_t> read(std::span<std::byte>) override { return 0; }
    Result<std::size_t> write(std::span<const ByteView> pieces) override {
        const std::size_t taken = std::min(room, pieces.front().size());
        append(out, pieces.front().first(taken));
        room -= taken;
        return taken;
    }
    void set_reading(bool) override {}
    std::string peer() const override { return "far"; }

    std::size_t room = 0;
    Bytes out;
};

/// Returns what was sent, in order: `topic` for each part, the reason of a goodbye.
std::string said(ByteView bytes) {
    FrameReader reader;
    reader.add(bytes);
    std::string all;
    while (const auto message = reader.next().value())
        all += (all.empty() ? "" : " ") +
               (std::holds_alternative<TopicPiece>(*message) ? "topic" : std::get<Goodbye>(*message).why);
    return all;
}

RC_GTEST_PROP(TopicPieces, AreTheMessageAgainWhenJoined, ()) {
    const auto size = *rc::gen::inRange<std::size_t>(0, 5 * LinkLimits::piece);
    const Bytes message(size, std::byte{*rc::gen::arbitrary<std::uint8_t>()});
    TopicJoiner joiner;
    std::optional<Bytes> joined;
    for (const Bytes& frame : topic_frames(message)) {
        RC_ASSERT(!joined);
        const auto piece = decode_frame(ByteView(frame).subspan(sizeof(std::uint32_t)));
        joined = joiner.add(std::get<TopicPiece>(piece.value())).value();
    }
    RC_ASSERT(joined == message);
}

TEST(TopicJoiner, RefusesWhatGrowsBeyondTheLimit) {
    TopicJoiner joiner;
    const TopicPiece piece{false, Bytes(LinkLimits::piece)};
    for (std::size_t size = 0; size < LinkLimits::topic; size += LinkLimits::piece)
        ASSERT_TRUE(joiner.add(piece));
    const auto added = joiner.add({true, Bytes(1)});
    ASSERT_FALSE(added);
    EXPECT_EQ(added.error().code, Code::limit_exceeded);
}

TEST(FrameOutbox, LetsWordsPassBetweenThePiecesOfATopicAndAStopBeforeAll) {
    FrameOutbox outbox;
    NarrowStream stream;
    outbox.add_topic(Bytes(3 * LinkLimits::piece));
    EXPECT_GT(outbox.topic_bytes(), 3 * LinkLimits::piece);
    EXPECT_EQ(outbox.bytes(), 0U);
    stream.room = 100;
    ASSERT_TRUE(outbox.flush(stream));
    outbox.add(frame_of(Goodbye{"first"}));
    outbox.add(frame_of(Goodbye{"second"}));
    outbox.add_first(frame_of(Goodbye{"stop"}));
    stream.room = LinkLimits::topic;
    ASSERT_TRUE(outbox.flush(stream));
    EXPECT_EQ(said(stream.out), "topic stop first second topic topic");
    EXPECT_EQ(outbox.bytes() + outbox.topic_bytes(), 0U);
}

}  // namespace
}  // namespace caribou::link
