#include "base/web_request.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace caribou {
namespace {

using testing::Contains;
using testing::Pair;

/// Requests a range of a file of ten bytes.
WebAnswer ranged(std::string range) {
    return web_file({.range = std::move(range)}, "text/plain", bytes_of("0123456789"), nullptr);
}

TEST(WebFile, IsServedWholeOrInTheRangeThatWasAskedFor) {
    EXPECT_EQ(ranged("").status, 200u);
    EXPECT_EQ(text_of(ranged("").bytes), "0123456789");
    EXPECT_EQ(ranged("bytes=2-5").status, 206u);
    EXPECT_EQ(text_of(ranged("bytes=2-5").bytes), "2345");
    EXPECT_THAT(ranged("bytes=2-5").fields, Contains(Pair("Content-Range", "bytes 2-5/10")));
    EXPECT_EQ(text_of(ranged("bytes=7-").bytes), "789");
    EXPECT_EQ(text_of(ranged("bytes=7-99999999999999999999999").bytes), "789");
    EXPECT_EQ(text_of(ranged("bytes=-3").bytes), "789");
    EXPECT_EQ(text_of(ranged("bytes=-30").bytes), "0123456789");
}

TEST(WebFile, SaysThatThereIsNothingBehindItsEnd) {
    EXPECT_EQ(ranged("bytes=10-").status, 416u);
    EXPECT_EQ(ranged("bytes=-0").status, 416u);
    EXPECT_THAT(ranged("bytes=99999999999999999999999-").fields,
                Contains(Pair("Content-Range", "bytes */10")));
}

TEST(WebFile, IsServedWholeForARangeThatMakesNoSense) {
    for (const char* range : {"bytes=", "bytes=-", "bytes=5-2", "bytes=1-2,4-5", "bytes=x-2", "bytes=2-x",
                              "lines=1-2", "bytes=--3"})
        EXPECT_EQ(ranged(range).status, 200u) << range;
}

}  // namespace
}  // namespace caribou
