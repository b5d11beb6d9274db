#include "platform/waiting_queue.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

namespace caribou {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(WaitingQueue, HandsOverAllThatWaitsInOrder) {
    WaitingQueue<int> queue(8);
    for (const int item : {1, 2, 3}) queue.push(item);
    EXPECT_THAT(queue.wait(), ElementsAre(1, 2, 3));
}

TEST(WaitingQueue, DropsTheOldestAtTheLimitAndCountsIt) {
    WaitingQueue<int> queue(2);
    for (const int item : {1, 2, 3, 4}) queue.push(item);
    EXPECT_EQ(queue.lost(), 2u);
    EXPECT_THAT(queue.wait(), ElementsAre(3, 4));
}

TEST(WaitingQueue, KeepsOneOfEqualsWhenAskedTo) {
    WaitingQueue<int> queue(8);
    for (const int item : {1, 2, 1, 2, 2}) queue.push_once(item);
    EXPECT_THAT(queue.wait(), ElementsAre(1, 2));
    queue.push_once(1);
    EXPECT_THAT(queue.wait(), ElementsAre(1));
}

TEST(WaitingQueue, KeepsNothingOnceClosed) {
    WaitingQueue<int> queue(8);
    queue.push(1);
    queue.close();
    queue.push(2);
    queue.push_once(3);
    EXPECT_THAT(queue.wait(), IsEmpty());
    EXPECT_EQ(queue.lost(), 0u);
}

TEST(WaitingQueue, BringsEverythingFromManyThreadsToTheOneThatWaits) {
    constexpr int threads = 4;
    constexpr int each = 1000;
    WaitingQueue<int> queue(threads * each);
    std::vector<std::jthread> writers;
    for (int t = 0; t < threads; ++t)
        writers.emplace_back([&queue] {
            for (int i = 0; i < each; ++i) queue.push(i);
        });
    std::size_t got = 0;
    while (got < threads * each) got += queue.wait().size();
    EXPECT_EQ(got, std::size_t{threads * each});
    EXPECT_EQ(queue.lost(), 0u);
}

TEST(WaitingQueue, WakesWhoWaitsWhenItIsClosed) {
    WaitingQueue<int> queue(8);
    std::vector<int> got{1};
    std::jthread reader([&] { got = queue.wait(); });
    queue.close();
    reader.join();
    EXPECT_THAT(got, IsEmpty());
}

}  // namespace
}  // namespace caribou
