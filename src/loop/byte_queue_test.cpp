#include "loop/byte_queue.hpp"

#include <string>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace caribou {
namespace {

TEST(ByteQueue, IsEmptyAfterItIsCleared) {
    ByteQueue queue;
    EXPECT_TRUE(queue.empty());
    queue.push(bytes_of("abc"));
    EXPECT_EQ(queue.size(), 3u);
    queue.clear();
    EXPECT_TRUE(queue.empty());
}

TEST(ByteQueueDeathTest, GivesNoMoreThanItHas) {
    ByteQueue queue;
    std::byte one[1];
    EXPECT_DEATH(queue.take(one), "no more bytes than it has");
}

RC_GTEST_PROP(ByteQueue, GivesBackWhatWentInInOrder, (const std::vector<std::string>& texts)) {
    ByteQueue queue;
    std::string in;
    std::string out;
    for (const std::string& text : texts) {
        queue.push(bytes_of(text));
        in += text;
        Bytes taken(*rc::gen::inRange<std::size_t>(0, queue.size() + 1));
        queue.take(taken);
        out += text_of(taken);
        RC_ASSERT(queue.size() == in.size() - out.size());
    }
    Bytes rest(queue.size());
    queue.take(rest);
    out += text_of(rest);
    RC_ASSERT(out == in);
}

}  // namespace
}  // namespace caribou
