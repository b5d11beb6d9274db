#include "bus/outbox.hpp"

#include <array>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "wire/codec.hpp"
#include "wire/packet_reader.hpp"

namespace caribou::bus {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

SharedBytes message(std::string_view key, double value, std::size_t payload = 0) {
    const std::string filler(payload, 'x');
    auto bytes = std::make_shared<Bytes>();
    wire::append_message(*bytes,
                         {.type = wire::MessageType::notify, .key = key, .value = value, .payload = filler});
    return bytes;
}

/// Sends everything, at most `step` bytes at a time, and returns `key=value` of each message.
std::vector<std::string> drain(Outbox& outbox, std::size_t step = SIZE_MAX) {
    Bytes all;
    while (!outbox.empty()) {
        if (!outbox.sending()) outbox.seal();
        std::array<ByteView, 3> pieces;
        const std::size_t count = outbox.gather(pieces);
        std::size_t left = step;
        for (ByteView piece : std::span(pieces).first(count)) {
            piece = piece.first(std::min(piece.size(), left));
            left -= piece.size();
            append(all, piece);
        }
        outbox.sent(std::min(step, step - left));
    }
    std::vector<std::string> seen;
    ByteView rest = all;
    wire::PacketReader reader(1_MiB);
    while (!rest.empty() || !reader.between_packets()) {
        const auto step_done = reader.next(rest).value();
        rest = rest.subspan(step_done.consumed);
        if (step_done.kind == wire::PacketReader::Step::Kind::message)
            seen.push_back(std::string(step_done.message.key) + "=" +
                           std::to_string(static_cast<int>(step_done.message.value)));
    }
    return seen;
}

class OutboxTest : public testing::Test {
protected:
    BufferPool pool_;
    Outbox outbox_{pool_};
};

TEST_F(OutboxTest, MakesOnePacketOfAllThatWaits) {
    outbox_.add(message("A", 1));
    outbox_.add(message("B", 2));
    outbox_.seal();
    EXPECT_FALSE(outbox_.has_waiting());
    EXPECT_TRUE(outbox_.sending());
    EXPECT_THAT(drain(outbox_), ElementsAre("A=1", "B=2"));
    EXPECT_TRUE(outbox_.empty());
    EXPECT_EQ(outbox_.backlog(), 0u);
}

TEST_F(OutboxTest, PutsTheFrontMessageFirstAndOnlyTheLastOneSet) {
    outbox_.add(message("A", 1));
    outbox_.set_front({.type = wire::MessageType::timing, .key = "T", .value = 8});
    outbox_.set_front({.type = wire::MessageType::timing, .key = "T", .value = 9});
    EXPECT_THAT(drain(outbox_), ElementsAre("T=9", "A=1"));
}

TEST_F(OutboxTest, RefersToLargeMessagesAndCopiesSmallOnes) {
    const auto small = message("S", 1);
    const auto large = message("L", 2, Outbox::share_from);
    outbox_.add(small);
    outbox_.add(large);
    EXPECT_EQ(small.use_count(), 1);
    EXPECT_EQ(large.use_count(), 2);
    drain(outbox_);
    EXPECT_EQ(large.use_count(), 1);
}

/// Returns `count` messages of one variable, with values from 0, in one block.
SharedBytes run_of(std::string_view key, std::size_t count) {
    auto bytes = std::make_shared<Bytes>();
    for (std::size_t i = 0; i < count; ++i)
        wire::append_message(
            *bytes, {.type = wire::MessageType::notify, .key = key, .value = static_cast<double>(i)});
    return bytes;
}

TEST_F(OutboxTest, SharesLongRunsAndCopiesShortOnes) {
    const auto lengthy = run_of("L", 100);
    const auto brief = run_of("S", 3);
    outbox_.add(MessageRun(&brief, *brief, 3));
    outbox_.add(MessageRun(&lengthy, *lengthy, 100));
    EXPECT_EQ(brief.use_count(), 1);
    EXPECT_EQ(lengthy.use_count(), 2);
    EXPECT_EQ(outbox_.waiting_size(), brief->size() + lengthy->size());
    EXPECT_EQ(drain(outbox_, 100).size(), 103u);
    EXPECT_EQ(lengthy.use_count(), 1);
}

TEST_F(OutboxTest, CopiesARunThatHasNoOwner) {
    auto run = run_of("L", 100);
    outbox_.add(MessageRun(nullptr, *run, 100));
    run->assign(run->size(), std::byte{0});
    EXPECT_EQ(drain(outbox_).back(), "L=99");
}

TEST_F(OutboxTest, ThinsOutWithinSharedRunsAndLetsThemGo) {
    const auto run = run_of("L", 100);
    outbox_.add(message("A", 1));
    outbox_.add(MessageRun(&run, *run, 100));
    outbox_.add(message("A", 2));
    EXPECT_EQ(outbox_.drop_oldest(3 * message("A", 1)->size()), 99u);
    EXPECT_EQ(run.use_count(), 1);
    outbox_.add(MessageRun(&run, *run, 100));
    EXPECT_EQ(outbox_.collapse(), 101u);
    EXPECT_EQ(run.use_count(), 1);
    EXPECT_THAT(drain(outbox_), ElementsAre("A=2", "L=99"));
}

RC_GTEST_PROP(Outbox, SendsEverythingInOrderWhateverTheSizesAndTheShortWrites, ()) {
    BufferPool pool;
    Outbox outbox(pool);
    std::vector<std::string> expected;
    for (const bool large : *rc::gen::resize(30, rc::gen::arbitrary<std::vector<bool>>())) {
        const auto number = static_cast<double>(expected.size());
        outbox.add(message("K", number, large ? Outbox::share_from : 0));
        expected.push_back("K=" + std::to_string(expected.size()));
    }
    RC_ASSERT(drain(outbox, *rc::gen::inRange<std::size_t>(1, 10'000)) == expected);
}

TEST_F(OutboxTest, CollapsesToTheNewestOfEachVariableInOrder) {
    outbox_.add(message("A", 1));
    outbox_.add(message("B", 2, Outbox::share_from));
    outbox_.add(message("A", 3));
    outbox_.add(message("B", 4, Outbox::share_from));
    outbox_.add(message("C", 5));
    EXPECT_EQ(outbox_.collapse(), 2u);
    EXPECT_THAT(drain(outbox_), ElementsAre("A=3", "B=4", "C=5"));
}

TEST_F(OutboxTest, CollapseLeavesRepliesAndWhatIsOnItsWay) {
    outbox_.add(message("A", 1));
    outbox_.seal();
    outbox_.add({.id = wire::server_request_id, .key = "A", .value = 2});
    outbox_.add({.id = wire::server_request_id, .key = "A", .value = 3});
    outbox_.add(message("A", 4));
    EXPECT_EQ(outbox_.collapse(), 0u);
    EXPECT_THAT(drain(outbox_), ElementsAre("A=1", "A=2", "A=3", "A=4"));
}

TEST_F(OutboxTest, DropsTheOldestDownToASizeButNeverTheNewest) {
    for (int i = 0; i < 10; ++i) outbox_.add(message("V" + std::to_string(i), i));
    const std::size_t one = message("V0", 0)->size();
    EXPECT_EQ(outbox_.drop_oldest(3 * one), 7u);
    EXPECT_EQ(outbox_.waiting_size(), 3 * one);
    EXPECT_EQ(outbox_.drop_oldest(0), 2u);
    EXPECT_THAT(drain(outbox_), ElementsAre("V9=9"));
}

TEST_F(OutboxTest, KeepsItsAccountThroughEverything) {
    outbox_.add(message("A", 1));
    outbox_.add(message("A", 2, Outbox::share_from));
    const std::size_t before = outbox_.backlog();
    outbox_.collapse();
    EXPECT_LT(outbox_.backlog(), before);
    EXPECT_EQ(outbox_.drop_waiting(), 1u);
    EXPECT_EQ(outbox_.backlog(), 0u);
    EXPECT_TRUE(outbox_.empty());
}

TEST(BufferPoolTest, GivesBackTheRoomThatWasLeftWithIt) {
    BufferPool pool;
    Bytes buffer(1000);
    const auto* place = buffer.data();
    pool.give(std::move(buffer));
    const Bytes again = pool.take();
    EXPECT_THAT(again, IsEmpty());
    EXPECT_EQ(again.data(), place);
    EXPECT_EQ(pool.take().capacity(), 0u);
}

TEST(BufferPoolTest, KeepsNoMoreThanItsLimit) {
    BufferPool pool;
    pool.give(Bytes(BufferPool::max_kept_buffer + 1));
    EXPECT_EQ(pool.take().capacity(), 0u);
    const std::size_t most = BufferPool::max_kept_bytes / BufferPool::max_kept_buffer;
    for (std::size_t i = 0; i < most + 5; ++i) pool.give(Bytes(BufferPool::max_kept_buffer));
    std::size_t kept = 0;
    while (pool.take().capacity() > 0) ++kept;
    EXPECT_EQ(kept, most);
}

}  // namespace
}  // namespace caribou::bus
