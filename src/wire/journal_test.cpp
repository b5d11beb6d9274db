#include "wire/journal.hpp"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include <test_paths.hpp>
#include "wire/codec.hpp"
#include "wire/journal_frame.hpp"

namespace caribou::wire {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

Bytes message(std::string_view key, std::string_view payload) {
    Bytes bytes;
    append_message(bytes, {.id = 7,
                           .type = MessageType::notify,
                           .data_type = DataType::string,
                           .source = "writer",
                           .aux = "aux",
                           .community = "alpha",
                           .key = key,
                           .time = 1234.5,
                           .payload = payload});
    return bytes;
}

/// Payloads by key.
using State = std::map<std::string, std::string, std::less<>>;

State state_of(const JournalContents& contents) {
    State state;
    for (const JournalValue& value : contents.values) {
        const auto decoded = decode_message(value.message);
        EXPECT_TRUE(decoded.has_value());
        if (decoded) state[std::string(decoded->key)] = decoded->payload;
    }
    return state;
}

State read_state(ByteView file) { return state_of(*read_journal(file)); }

Bytes batch(std::uint64_t number, const std::vector<std::pair<std::uint32_t, std::string>>& values,
            JournalSeal seal = JournalSeal::open) {
    JournalBatch made(number, seal);
    for (const auto& [variable, payload] : values)
        made.add({variable, 99.5, number + 1, message("V" + std::to_string(variable), payload)});
    return made.finish();
}

/// A file, with the end offset of each batch and the state after it.
struct Story {
    Bytes file{journal_header().begin(), journal_header().end()};
    std::vector<std::pair<std::size_t, State>> stages{{0, {}}};

    void add(const Bytes& bytes, State state) {
        append(file, bytes);
        stages.emplace_back(file.size(), std::move(state));
    }
    const State& at(std::size_t size) const {
        std::size_t stage = 0;
        while (stage + 1 < stages.size() && stages[stage + 1].first <= size) ++stage;
        return stages[stage].second;
    }
};

Story example() {
    Story story;
    story.add(batch(0, {{0, "a"}, {1, "b"}}, JournalSeal::sealed), {{"V0", "a"}, {"V1", "b"}});
    story.add(batch(1, {{1, "c"}}), {{"V0", "a"}, {"V1", "c"}});
    JournalBatch cleared(2);
    cleared.clear();
    cleared.add({0, 1, 1, message("V0", "d")});
    story.add(cleared.finish(), {{"V0", "d"}});
    story.add(batch(3, {{1, std::string(2 * JournalBatch::frame_size, 'x')}, {2, "e"}}),
              {{"V0", "d"}, {"V1", std::string(2 * JournalBatch::frame_size, 'x')}, {"V2", "e"}});
    return story;
}

TEST(Journal, GivesBackTheNewestOfEachVariable) {
    const Story story = example();
    const auto contents = read_journal(story.file);
    ASSERT_TRUE(contents);
    EXPECT_EQ(state_of(*contents), story.stages.back().second);
    EXPECT_EQ(contents->end, story.file.size());
    EXPECT_EQ(contents->next_batch, 4u);
    EXPECT_THAT(contents->damages, IsEmpty());
    EXPECT_EQ(contents->values[2].writes, 4u);
    EXPECT_EQ(contents->values[2].written, 99.5);
}

TEST(Journal, OpensEveryPrefix) {
    const Story story = example();
    for (std::size_t size = 0; size <= story.file.size(); size += size < 1000 ? 1 : 97) {
        const auto contents = read_journal(ByteView(story.file).first(size));
        ASSERT_TRUE(contents) << size;
        ASSERT_EQ(state_of(*contents), story.at(size)) << size;
        ASSERT_THAT(contents->damages, IsEmpty()) << size;
        ASSERT_LE(contents->end, size);
    }
}

TEST(Journal, NoticesEveryFlippedBit) {
    const Story story = example();
    Bytes file(story.file.begin(), story.file.begin() + static_cast<std::ptrdiff_t>(story.stages[3].first));
    for (std::size_t bit = 0; bit < file.size() * 8; ++bit) {
        const std::byte mask{static_cast<unsigned char>(1u << bit % 8)};
        file[bit / 8] ^= mask;
        const auto contents = read_journal(file);
        ASSERT_TRUE(contents) << bit;
        ASSERT_TRUE(!contents->damages.empty() || contents->end < file.size()) << bit;
        file[bit / 8] ^= mask;
    }
}

TEST(Journal, LosesNoMoreThanAFrameToDamageInTheMiddle) {
    Story story;
    const std::string large(JournalBatch::frame_size, 'x');
    story.add(batch(0, {{0, large}, {1, large}, {2, large}}, JournalSeal::sealed), {});
    story.file[story.file.size() / 2] ^= std::byte{1};
    const auto contents = read_journal(story.file);
    ASSERT_TRUE(contents);
    EXPECT_THAT(contents->damages, SizeIs(1));
    EXPECT_EQ(state_of(*contents), (State{{"V0", large}, {"V2", large}}));
}

TEST(Journal, TakesAnUnsealedBatchWholeOrNotAtAll) {
    Story story;
    const std::string large(JournalBatch::frame_size, 'x');
    story.add(batch(0, {{0, "a"}}, JournalSeal::sealed), {});
    const std::size_t before = story.file.size();
    story.add(batch(1, {{0, large}, {1, large}, {2, large}}), {});
    story.file[before + (story.file.size() - before) / 2] ^= std::byte{1};
    EXPECT_EQ(read_state(story.file), (State{{"V0", "a"}}));
    // The batch that follows proves that it was durable.
    append(story.file, batch(2, {{3, "b"}}));
    EXPECT_EQ(read_state(story.file), (State{{"V0", large}, {"V2", large}, {"V3", "b"}}));
}

TEST(Journal, FindsItsWayWhereAHeadIsDamaged) {
    Story story = example();
    story.file[story.stages[1].first + 5] ^= std::byte{0x40};
    const auto contents = read_journal(story.file);
    ASSERT_TRUE(contents);
    EXPECT_EQ(state_of(*contents), story.stages.back().second);
    ASSERT_THAT(contents->damages, SizeIs(1));
    EXPECT_EQ(contents->damages[0].offset, story.stages[1].first);
}

TEST(Journal, RefusesAnotherVersion) {
    const auto contents = read_journal(bytes_of("caribou journal2 and what follows"));
    ASSERT_FALSE(contents);
    EXPECT_THAT(contents.error().message, HasSubstr("version `2`"));
}

TEST(Journal, ReadsAndWritesTheGoldenFile) {
    const std::string path = tests::in_repository("tests/golden/journal/values-1.journal");
    std::ifstream in(path, std::ios::binary);
    const std::string golden{std::istreambuf_iterator<char>(in), {}};
    Story story;
    story.add(batch(0, {{0, "first"}, {1, "second"}}, JournalSeal::sealed), {});
    JournalBatch second(1);
    second.clear();
    second.add({0, 1767225600.25, 3, message("NAV_X", "3.25")});
    story.add(second.finish(), {{"NAV_X", "3.25"}});
    EXPECT_EQ(golden, text_of(story.file));
    EXPECT_EQ(read_state(bytes_of(golden)), story.stages.back().second);
}

RC_GTEST_PROP(Journal, SurvivesAnyChangeOfItsBytes,
              (std::uint16_t at, std::uint8_t byte, std::uint16_t size)) {
    Bytes file = example().file;
    file.resize(size % file.size() + 1);
    file[at % file.size()] = std::byte{byte};
    const auto contents = read_journal(file);
    if (!contents) return;
    for (const JournalValue& value : contents->values) RC_ASSERT(decode_message(value.message).has_value());
    RC_ASSERT(contents->end <= file.size());
}

}  // namespace
}  // namespace caribou::wire
