#include "wire/cdr.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>

namespace caribou::wire {
namespace {

using testing::HasSubstr;

Bytes bytes(std::initializer_list<int> values) {
    Bytes out;
    for (const int value : values) out.push_back(static_cast<std::byte>(value));
    return out;
}

TEST(CdrWriter, BeginsWithTheHeaderOfLittleEndianCdr) {
    EXPECT_EQ(std::move(CdrWriter()).take(), bytes({0, 1, 0, 0}));
}

TEST(CdrWriter, AlignsEachFieldToItsSizeFromBehindTheHeader) {
    CdrWriter writer;
    writer.put(std::uint8_t{1});
    writer.put(std::uint16_t{2});
    writer.put(std::uint8_t{3});
    writer.put(std::uint64_t{4});
    EXPECT_EQ(std::move(writer).take(), bytes({0, 1, 0, 0, 1, 0, 2, 0, 3, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0}));
}

TEST(CdrWriter, EndsATextWithNulAndCountsIt) {
    CdrWriter writer;
    writer.put(std::string_view("ab"));
    writer.put(std::string_view());
    EXPECT_EQ(std::move(writer).take(), bytes({0, 1, 0, 0, 3, 0, 0, 0, 'a', 'b', 0, 0, 1, 0, 0, 0, 0}));
}

TEST(CdrReader, ReadsEitherByteOrder) {
    const Bytes little = bytes({0, 1, 0, 0, 1, 0, 2, 0, 3, 0, 0, 0, 2, 0, 0, 0, 'x', 0});
    const Bytes big = bytes({0, 0, 0, 0, 1, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 2, 'x', 0});
    for (const Bytes& payload : {little, big}) {
        CdrReader reader(payload);
        EXPECT_EQ(reader.take<std::uint8_t>(), 1);
        EXPECT_EQ(reader.take<std::uint16_t>(), 2);
        EXPECT_EQ(reader.take<std::uint32_t>(), 3u);
        EXPECT_EQ(reader.take_string(), "x");
        EXPECT_EQ(reader.remaining(), 0u);
        EXPECT_TRUE(reader.outcome());
    }
}

TEST(CdrReader, TakesATextWithoutNulOnlyIfItIsEmpty) {
    const Bytes empty = bytes({0, 1, 0, 0, 0, 0, 0, 0});
    CdrReader reader(empty);
    EXPECT_EQ(reader.take_string(), "");
    EXPECT_TRUE(reader.outcome());
}

struct Bad {
    const char* name;
    Bytes payload;
    void (*read)(CdrReader&);
    const char* sentence;
};

class CdrFault : public testing::TestWithParam<Bad> {};

TEST_P(CdrFault, NamesWhatIsWrongAndWhere) {
    CdrReader reader(GetParam().payload);
    GetParam().read(reader);
    ASSERT_FALSE(reader.outcome());
    EXPECT_EQ(reader.outcome().error().code, Code::malformed);
    EXPECT_THAT(reader.outcome().error().message, HasSubstr(GetParam().sentence));
    EXPECT_EQ(reader.take<std::int64_t>(), 0) << "after a fault everything is zero";
}

const auto take_text = [](CdrReader& reader) { reader.take_string(); };
const auto take_numbers = [](CdrReader& reader) {
    std::vector<double> into;
    reader.take_sequence(into, 2);
};

INSTANTIATE_TEST_SUITE_P(
    Reader, CdrFault,
    testing::Values(Bad{"Nothing", {}, [](CdrReader&) {}, "0 bytes, but the header alone has 4"},
                    Bad{"Xcdr2", bytes({0, 7, 0, 0}), [](CdrReader&) {}, "header 00 07 at offset 0"},
                    Bad{"CutNumber", bytes({0, 1, 0, 0, 1, 0, 0, 0, 2, 0}),
                        [](CdrReader& reader) { reader.take<std::uint8_t>(), reader.take<std::uint64_t>(); },
                        "at offset 12: 10 bytes are missing"},
                    Bad{"Bool", bytes({0, 1, 0, 0, 2}), [](CdrReader& reader) { reader.take<bool>(); },
                        "at offset 4: a bool is 0 or 1, not 2"},
                    Bad{"CutText", bytes({0, 1, 0, 0, 9, 0, 0, 0, 'a', 0}), take_text,
                        "at offset 4: a text of 9 bytes, but 2 are left"},
                    Bad{"TextWithoutNul", bytes({0, 1, 0, 0, 1, 0, 0, 0, 'a'}), take_text,
                        "does not end with NUL"},
                    Bad{"HugeSequence", bytes({0, 1, 0, 0, 255, 255, 255, 255}), take_numbers,
                        "a sequence of 4294967295 elements, but 0 bytes are left"},
                    Bad{"BoundedSequence", bytes({0, 1, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                                                  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}),
                        take_numbers, "3 elements, but at most 2 are allowed"}),
    [](const auto& bad) { return std::string(bad.param.name); });

RC_GTEST_PROP(Cdr, GivesBackWhatWasWritten, (const std::vector<std::int16_t>& sequence, std::uint8_t small)) {
    const auto text = *rc::gen::string<std::string>();
    const double real = *rc::gen::arbitrary<double>();
    CdrWriter writer;
    writer.put(small);
    writer.put_count(sequence.size());
    writer.put_all(std::span(sequence));
    writer.put(std::string_view(text));
    writer.put(real);
    writer.put(small > 100);
    CdrReader reader(writer.bytes());
    RC_ASSERT(reader.take<std::uint8_t>() == small);
    std::vector<std::int16_t> read;
    reader.take_sequence(read);
    RC_ASSERT(read == sequence);
    RC_ASSERT(reader.take_string() == text);
    RC_ASSERT(reader.take<double>() == real);
    RC_ASSERT(reader.take<bool>() == (small > 100));
    RC_ASSERT(reader.remaining() == 0u);
    RC_ASSERT(reader.outcome().has_value());
}

/// A type with a handwritten codec.
struct NamedValue {
    std::string name;
    double value = 0;
    friend bool operator==(const NamedValue&, const NamedValue&) = default;
};

}  // namespace

template <>
struct MessageCodec<NamedValue> {
    static constexpr std::string_view type_name = "example_msgs/msg/NamedValue";
    static void write(CdrWriter& writer, const NamedValue& pair) {
        writer.put(std::string_view(pair.name));
        writer.put(pair.value);
    }
    static Result<NamedValue> read(CdrReader& reader) {
        NamedValue pair{.name = reader.take_string(), .value = reader.take<double>()};
        if (auto outcome = reader.outcome(); !outcome) return fail(outcome.error());
        return pair;
    }
};

namespace {

TEST(MessageCodec, CarriesATypeOfOnesOwn) {
    const NamedValue pair{"speed", 1.5};
    EXPECT_EQ(decode_cdr<NamedValue>(encode_cdr(pair)), pair);
    EXPECT_EQ(decode_cdr<NamedValue>(bytes({0, 1, 0, 0})).error().message,
              "CDR at offset 4: 4 bytes are missing");
}

}  // namespace
}  // namespace caribou::wire
