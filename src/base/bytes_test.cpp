#include "base/bytes.hpp"

#include <cmath>
#include <string>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace caribou {
namespace {

TEST(Bytes, OfATextReferToTheSameMemory) {
    const std::string text = "caribou";
    EXPECT_EQ(static_cast<const void*>(bytes_of(text).data()), static_cast<const void*>(text.data()));
    EXPECT_EQ(text_of(bytes_of(text)), text);
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

}  // namespace
}  // namespace caribou
