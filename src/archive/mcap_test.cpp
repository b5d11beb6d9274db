#include "archive/mcap.hpp"
#include <test_paths.hpp>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "archive/zstd.hpp"

namespace caribou::wire {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// Returns one line per message: topic, sequence number, time and data.
std::vector<std::string> read_all(McapReader& reader) {
    std::vector<std::string> lines;
    while (const auto message = reader.next())
        lines.push_back(fmt::format("{} {} {}:{}", message->channel->topic, message->sequence,
                                    message->log_time, text_of(message->data)));
    return lines;
}
std::vector<std::string> read_all(ByteView file) {
    auto reader = McapReader::open(file);
    return reader ? read_all(*reader) : std::vector<std::string>{reader.error().message};
}

/// A recording of eight chunks: `/often` is in all of them, `/once` in the second.
Bytes eight_chunks() {
    McapWriter writer({.compress = true});
    const auto often = writer.add_channel("/often", "json", 0);
    const auto once = writer.add_channel("/once", "json", 0);
    Bytes file;
    for (std::uint64_t i = 0; i < 8; ++i) {
        writer.add(often, 10 * i, 10 * i, bytes_of("a"));
        if (i == 1) writer.add(once, 10 * i, 10 * i, bytes_of("b"));
        writer.add(often, 10 * i + 5, 10 * i + 5, bytes_of("c"));
        append(file, writer.take());
    }
    append(file, writer.finish());
    return file;
}

TEST(McapReader, SkipsChunksThatDoNotMatterAtATime) {
    const Bytes file = eight_chunks();
    const auto read_at = [&](std::uint64_t time) {
        auto reader = McapReader::open(file).value();
        reader.skip_before(time);
        std::vector<std::uint64_t> times;
        while (const auto message = reader.next()) times.push_back(message->log_time);
        EXPECT_TRUE(reader.complete());
        EXPECT_EQ(reader.passed_over(), 0U);
        return times;
    };
    EXPECT_THAT(read_at(67), ElementsAre(10, 10, 15, 60, 65, 70, 75));
    EXPECT_THAT(read_at(62), ElementsAre(10, 10, 15, 50, 55, 60, 65, 70, 75)) << "`c` of 65 is not yet";
    EXPECT_THAT(read_at(1000), ElementsAre(10, 10, 15, 70, 75));
    EXPECT_EQ(read_at(0).size(), 17U);
}

TEST(McapReader, SkipsChunksOfATruncatedFile) {
    const Bytes file = eight_chunks();
    for (std::size_t size = 8; size < file.size(); ++size) {
        auto whole = McapReader::open(ByteView(file).first(size)).value();
        std::map<std::string, std::uint64_t> last;
        while (const auto message = whole.next()) last[message->channel->topic] = message->log_time;
        auto reader = McapReader::open(ByteView(file).first(size)).value();
        reader.skip_before(1000);
        std::map<std::string, std::uint64_t> found;
        while (const auto message = reader.next()) found[message->channel->topic] = message->log_time;
        EXPECT_EQ(found, last) << size;
    }
}

/// A recording with two channels, three messages and two chunks.
class Recording {
public:
    explicit Recording(bool compress = false) : writer_({.library = "test", .compress = compress}) {
        const auto schema = writer_.add_schema("Number", "jsonschema", R"({"type":"object"})");
        const auto depth = writer_.add_channel("/depth", "json", schema, {{"unit", "m"}});
        const auto raw = writer_.add_channel("/raw", "bytes", 0);
        writer_.add(depth, 20, 19, bytes_of(R"({"value":1})"));
        writer_.add(raw, 10, 10, bytes_of("abc"));
        take(writer_.take());
        writer_.add(depth, 30, 29, bytes_of(R"({"value":2})"));
        take(writer_.take());
        data_size = file.size();
        append(file, writer_.finish());
    }

    Bytes file;
    std::size_t data_size = 0;

private:
    void take(const Bytes& bytes) {
        append(file, bytes);
        EXPECT_EQ(writer_.size(), file.size());
    }

    McapWriter writer_;
};

void expect_recording(ByteView file) {
    auto reader = McapReader::open(file);
    ASSERT_TRUE(reader);
    EXPECT_THAT(read_all(*reader),
                ElementsAre(R"(/depth 0 20:{"value":1})", "/raw 0 10:abc", R"(/depth 1 30:{"value":2})"));
    EXPECT_TRUE(reader->complete());
    EXPECT_EQ(reader->passed_over(), 0U);
    EXPECT_EQ(reader->channels().at(0).schema_name, "Number");
    EXPECT_EQ(reader->channels().at(1).schema_name, "");
}

std::string golden_mcap(const std::string& name) {
    std::ifstream in(tests::in_repository("tests/golden/mcap/" + name), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

TEST(Mcap, IsReadAsItWasWritten) {
    expect_recording(Recording().file);
    expect_recording(Recording(true).file);
}

TEST(Mcap, IsWrittenToTheLastGoldenByte) { EXPECT_EQ(text_of(Recording().file), golden_mcap("small.mcap")); }

TEST(Mcap, IsReadAsTheGoldenFileWasCompressed) {
    // Versions of zstd may write the same content differently.
    expect_recording(bytes_of(golden_mcap("zstd.mcap")));
}

void expect_readable_wherever_cut(const Recording& recording) {
    const auto all = read_all(recording.file);
    std::size_t before = 0;
    for (std::size_t size = mcap_magic.size(); size < recording.file.size(); ++size) {
        auto reader = McapReader::open(ByteView(recording.file).first(size));
        ASSERT_TRUE(reader);
        const auto some = read_all(*reader);
        ASSERT_TRUE(std::ranges::equal(some, std::span(all).first(some.size()))) << "cut at " << size;
        ASSERT_GE(some.size(), before) << "cut at " << size;
        ASSERT_FALSE(reader->complete()) << "cut at " << size;
        before = some.size();
    }
    EXPECT_EQ(read_all(ByteView(recording.file).first(recording.data_size)), all)
        << "without its end the file lacks nothing but the way to find things quickly";
}

TEST(Mcap, IsReadWhereverItWasCut) {
    expect_readable_wherever_cut(Recording());
    expect_readable_wherever_cut(Recording(true));
}

TEST(Mcap, KeepsTheDataOfAMessageFromACompressedChunk) {
    const Recording recording(true);
    auto reader = McapReader::open(recording.file);
    ASSERT_TRUE(reader);
    const auto first = reader->next();
    ASSERT_TRUE(first);
    while (reader->next()) {}
    EXPECT_EQ(text_of(first->data), R"({"value":1})") << "although its chunk was left";
}

TEST(Mcap, CompressesWhatRepeatsItself) {
    McapWriter writer({.compress = true});
    const auto channel = writer.add_channel("/a", "bytes", 0);
    for (int i = 0; i < 1000; ++i) writer.add(channel, 0, 0, bytes_of(std::string(1000, 'x')));
    EXPECT_LT(writer.take().size(), 30'000U) << "of a million; most of it is the index";
}

/// Returns a file of one chunk of that compression, which states that size.
Bytes one_chunk(std::string_view compression, std::uint64_t size, ByteView stored) {
    McapRecords file;
    file.put_raw(bytes_of(mcap_magic));
    file.begin(McapOpcode::chunk);
    file.put(std::uint64_t{0}, std::uint64_t{0}, size, std::uint32_t{0});
    file.put(compression);
    file.put(std::uint64_t{stored.size()});
    file.put_raw(stored);
    file.end();
    return file.take();
}

TEST(Mcap, PassesOverAChunkThatItCannotOrWillNotDecompress) {
    const Bytes frame = zstd_compressed(Bytes(1000));
    const Bytes bomb = zstd_compressed(Bytes(McapReader::max_chunk + 1));
    for (const Bytes& file :
         {one_chunk("zstd", 999, frame), one_chunk("zstd", 1001, frame), one_chunk("lz4", 1000, frame),
          one_chunk("zstd", 1000, ByteView(frame).first(frame.size() - 1)),
          one_chunk("zstd", 5, bytes_of("abcde")), one_chunk("zstd", McapReader::max_chunk + 1, bomb)}) {
        auto reader = McapReader::open(file);
        ASSERT_TRUE(reader);
        EXPECT_FALSE(reader->next());
        EXPECT_EQ(reader->passed_over(), 1U);
    }
}

TEST(Mcap, PassesOverADamagedChunk) {
    Recording recording;
    const auto at = text_of(recording.file).find("abc");
    recording.file[at] ^= std::byte{1};
    auto reader = McapReader::open(recording.file);
    ASSERT_TRUE(reader);
    EXPECT_THAT(read_all(*reader), ElementsAre(R"(/depth 1 30:{"value":2})"));
    EXPECT_EQ(reader->passed_over(), 1U);
    EXPECT_TRUE(reader->complete());
}

std::size_t chunks_in(ByteView records) {
    std::size_t count = 0;
    while (const auto record = take_record(records)) count += record->opcode == McapOpcode::chunk ? 1U : 0U;
    return count;
}

TEST(Mcap, EndsAChunkThatHasBecomeLarge) {
    McapWriter writer({.chunk_size = 1000});
    const auto channel = writer.add_channel("/a", "bytes", 0);
    writer.take();
    const auto chunks_of = [&](int messages) {
        for (int i = 0; i < messages; ++i) writer.add(channel, 0, 0, bytes_of(std::string(69, 'x')));
        return chunks_in(writer.take());
    };
    EXPECT_EQ(chunks_of(10), 1U);
    EXPECT_EQ(chunks_of(11), 2U);
}

TEST(Mcap, PutsAChannelBeforeTheChunkThatIsOpen) {
    McapWriter writer({});
    const auto early = writer.add_channel("/early", "bytes", 0);
    writer.add(early, 1, 1, bytes_of("a"));
    const auto late = writer.add_channel("/late", "bytes", writer.add_schema("Late", "text", ""));
    writer.add(late, 2, 2, bytes_of("b"));
    const Bytes file = writer.finish();
    EXPECT_EQ(chunks_in(ByteView(file).subspan(mcap_magic.size())), 1U);
    EXPECT_THAT(read_all(file), ElementsAre("/early 0 1:a", "/late 0 2:b"));
}

TEST(Mcap, HoldsNothingWithoutAMessage) {
    McapWriter writer({});
    Bytes file = writer.take();
    append(file, writer.finish());
    auto reader = McapReader::open(file);
    ASSERT_TRUE(reader);
    EXPECT_THAT(read_all(*reader), IsEmpty());
    EXPECT_TRUE(reader->complete());
}

TEST(Mcap, TellsItsTimesFinishedOrNot) {
    const Recording recording;
    for (const std::size_t size : {recording.file.size(), recording.data_size}) {
        const auto times = mcap_times(ByteView(recording.file).first(size));
        ASSERT_TRUE(times) << size;
        EXPECT_EQ(times->first, 10u);
        EXPECT_EQ(times->last, 30u);
    }
    EXPECT_FALSE(mcap_times(ByteView(recording.file).first(20)));
    EXPECT_FALSE(mcap_times(bytes_of("nonsense")));
}

TEST(Mcap, SaysWhatIsNoRecording) {
    EXPECT_THAT(read_all(bytes_of("%% LOG FILE")), ElementsAre(testing::HasSubstr("not an MCAP file")));
    EXPECT_THAT(read_all(ByteView()), ElementsAre(testing::HasSubstr("not an MCAP file")));
}

}  // namespace
}  // namespace caribou::wire
