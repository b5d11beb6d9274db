#include "base/bytes.hpp"

#include <cmath>
#include <string>
#include <utility>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/base64.hpp"
#include "base/fields.hpp"

namespace caribou {
namespace {

TEST(Bytes, OfATextReferToTheSameMemory) {
    const std::string text = "caribou";
    EXPECT_EQ(static_cast<const void*>(bytes_of(text).data()), static_cast<const void*>(text.data()));
    EXPECT_EQ(text_of(bytes_of(text)), text);
}

TEST(Bytes, AreTextInBase64) {
    // The examples of RFC 4648.
    for (const auto& [text, coded] :
         {std::pair("", ""), {"f", "Zg=="}, {"fo", "Zm8="}, {"foo", "Zm9v"}, {"foob", "Zm9vYg=="}})
        EXPECT_EQ(base64(bytes_of(text)), coded);
    EXPECT_EQ(base64(bytes_of("\xfb\xff\xfe")), "+//+");
}

TEST(Bytes, OfAnEmptyTextAreEmpty) {
    EXPECT_TRUE(bytes_of("").empty());
    EXPECT_EQ(text_of({}), "");
}

TEST(Bytes, PutTheLowestByteFirst) {
    Bytes bytes;
    append_le(bytes, std::uint32_t{0x01020304});
    EXPECT_EQ(bytes, (Bytes{std::byte{4}, std::byte{3}, std::byte{2}, std::byte{1}}));
}

TEST(Bytes, AppendKeepsWhatIsThere) {
    Bytes bytes;
    append(bytes, bytes_of("ab"));
    append(bytes, {});
    append(bytes, bytes_of("cd"));
    EXPECT_EQ(text_of(bytes), "abcd");
}

RC_GTEST_PROP(Bytes, GiveIntegersBack, (std::int64_t a, std::uint16_t b, std::int8_t c)) {
    Bytes bytes;
    append_le(bytes, a);
    append_le(bytes, b);
    append_le(bytes, c);
    RC_ASSERT(bytes.size() == 11u);
    RC_ASSERT(load_le<std::int64_t>(bytes.data()) == a);
    RC_ASSERT(load_le<std::uint16_t>(bytes.data() + 8) == b);
    RC_ASSERT(load_le<std::int8_t>(bytes.data() + 10) == c);
}

RC_GTEST_PROP(Bytes, GiveDoublesBackBitByBit, (std::uint64_t bits)) {
    std::byte raw[sizeof(double)];
    store_le(raw, std::bit_cast<double>(bits));
    RC_ASSERT(load_le<std::uint64_t>(raw) == bits);
    RC_ASSERT(std::bit_cast<std::uint64_t>(load_le<double>(raw)) == bits);
}

TEST(Fields, AreReadAsTheyStand) {
    Bytes bytes;
    append_le(bytes, std::uint8_t{1});
    append_le(bytes, 2.5);
    append_sized(bytes, "caribou");
    append(bytes, bytes_of("rest"));
    FieldReader fields(bytes);
    EXPECT_TRUE(fields.flag());
    EXPECT_EQ(fields.number<double>(), 2.5);
    EXPECT_EQ(fields.text(), "caribou");
    EXPECT_FALSE(fields.complete());
    EXPECT_EQ(text_of(fields.rest()), "rest");
    EXPECT_TRUE(fields.complete());
}

TEST(Fields, ThatAreNotThereReadAsNothingForGood) {
    Bytes bytes;
    append_sized(bytes, "ab");
    bytes.push_back(std::byte{3});
    for (const auto& [what, read] : {
             std::pair<const char*, void (*)(FieldReader&)>{"a number",
                                                            [](FieldReader& f) { f.number<double>(); }},
             {"a flag", [](FieldReader& f) { f.flag(); }},
             {"a byte", [](FieldReader& f) { f.up_to(1); }},
             {"bytes", [](FieldReader& f) { f.bytes(6); }},
             {"a size", [](FieldReader& f) { f.sized<std::uint64_t>(); }},
             {"a text", [](FieldReader& f) { f.text(1); }},
         }) {
        FieldReader fields(bytes);
        read(fields);
        EXPECT_FALSE(fields.ok()) << what;
        EXPECT_EQ(fields.number<std::uint8_t>(), 0) << what;
        EXPECT_EQ(fields.text(), "") << what;
        EXPECT_TRUE(fields.rest().empty()) << what;
    }
}

}  // namespace
}  // namespace caribou
