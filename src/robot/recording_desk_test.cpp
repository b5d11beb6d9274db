#include "robot/recording_desk.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/base64.hpp"
#include "loop/virtual_loop.hpp"

namespace caribou::robot {
namespace {

using testing::HasSubstr;

class RecordingDeskTest : public testing::Test {
protected:
    std::string error(std::string_view words) {
        const auto answer = desk.answer(words, {});
        return answer ? "no error" : answer.error().message;
    }

    VirtualLoop loop;
    RecordingDesk desk{loop.clock()};
    Bytes recording = Bytes(RecordingDesk::piece * 2 + 1, std::byte{7});
};

TEST_F(RecordingDeskTest, HandsOutACopyInPieces) {
    const auto offer = desk.answer("", recording);
    ASSERT_TRUE(offer);
    EXPECT_THAT(*offer, HasSubstr(R"("number":1,"bytes":40001)"));
    const Bytes before = recording;
    recording.assign(3, std::byte{9});
    Bytes read;
    while (read.size() < before.size()) {
        const auto piece = desk.answer(fmt::format("1 {}", read.size()), recording);
        ASSERT_TRUE(piece) << piece.error().message;
        EXPECT_LT(piece->size(), 32'000U) << "it fits into an answer";
        append(read, base64_content(*piece).value());
    }
    EXPECT_EQ(read, before);
}

TEST_F(RecordingDeskTest, ReplacesItsCopy) {
    EXPECT_THAT(error("1 0"), HasSubstr("not held any more; request it again with `record`"));
    ASSERT_TRUE(desk.answer("", recording));
    ASSERT_TRUE(desk.answer("", recording));
    EXPECT_THAT(error("1 0"), HasSubstr("the recording 1 is not held any more"));
    EXPECT_TRUE(desk.answer("2 0", {}));
}

TEST_F(RecordingDeskTest, RefusesOtherWords) {
    ASSERT_TRUE(desk.answer("", recording));
    for (const char* const words : {"1", "x 0", "1 x", "1 -1", "1 0 0", "-1 0", "nan 0"})
        EXPECT_NE(error(words), "no error") << words;
    EXPECT_EQ(error("now"), "expected `record` or `record NUMBER OFFSET`, found `record now`");
    EXPECT_EQ(error("1 40001"), "the recording has 40001 bytes, and none at 40001");
    EXPECT_NE(error("1 1e300"), "no error");
}

}  // namespace
}  // namespace caribou::robot
