#include "base/base64.hpp"

#include <gtest/gtest.h>

namespace caribou {
namespace {

TEST(Base64, ReadsWhatItWrites) {
    Bytes bytes;
    for (int i = 0; i < 600; ++i) {
        EXPECT_EQ(base64_content(base64(bytes)), bytes) << i;
        bytes.push_back(static_cast<std::byte>(i * 7));
    }
    EXPECT_EQ(base64(bytes_of("light w")), "bGlnaHQgdw==");
}

TEST(Base64, RefusesWhatIsNotBase64) {
    for (const char* const text :
         {"a", "ab", "abc", "ab=c", "a===", "====", "ab\n=", "äb==", "=abc", "ab==abcd"})
        EXPECT_FALSE(base64_content(text)) << text;
}

}  // namespace
}  // namespace caribou
