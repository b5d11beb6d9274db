#include "sim/reader_account.hpp"

#include <deque>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace caribou::sim {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

/// One variable, its values at given times, and one reader.
struct Desk {
    const Write& write(Duration at) {
        if (!writes.empty()) writes.back().replaced = Instant(at);
        const auto number = writes.size() + 1;
        writes.push_back({{.id = 9,
                           .type = wire::MessageType::notify,
                           .source = "w",
                           .aux = "#" + std::to_string(number),
                           .key = "X",
                           .time = 5,
                           .value = static_cast<double>(number)},
                          number,
                          Instant(at)});
        account.on_write(writes.back());
        return writes.back();
    }
    Result<void> tell(const Write& write, Duration at) {
        return account.on_told(wire::view(write.message), Instant(at));
    }
    Result<void> tell_again(const Write& write, Duration at) {
        wire::MessageView message = wire::view(write.message);
        message.id = -1;
        return account.on_told(message, Instant(at));
    }

    std::deque<Write> writes;
    ReaderAccount account;
};

TEST(ReaderAccount, TakesEveryValueInOrder) {
    Desk desk;
    desk.account.on_register(0s, nullptr, Instant(0s));
    const Write& first = desk.write(1s);
    const Write& second = desk.write(1s);
    EXPECT_TRUE(desk.tell(first, 1s));
    EXPECT_TRUE(desk.tell(second, 1s));
    EXPECT_EQ(desk.account.lost(), 0u);
}

TEST(ReaderAccount, NoticesAValueFromBeforeTheRegistration) {
    Desk desk;
    const Write& early = desk.write(1s);
    desk.account.on_register(0s, &early, Instant(2s));
    EXPECT_FALSE(desk.tell(early, 2s)) << "only told again, with the id -1, is it owed";
    EXPECT_TRUE(desk.tell_again(early, 2s));
}

TEST(ReaderAccount, NoticesAValueFromAfterTheEnd) {
    Desk desk;
    desk.account.on_register(0s, nullptr, Instant(0s));
    const Write& before = desk.write(1s);
    desk.account.on_unregister();
    const Write& after = desk.write(2s);
    EXPECT_TRUE(desk.tell(before, 3s)) << "it was on its way";
    EXPECT_FALSE(desk.tell(after, 3s));
}

TEST(ReaderAccount, NoticesAnOldValueAndARepeatedOne) {
    Desk desk;
    desk.account.on_register(0s, nullptr, Instant(0s));
    const Write& first = desk.write(1s);
    const Write& second = desk.write(2s);
    EXPECT_TRUE(desk.tell(second, 2s));
    EXPECT_FALSE(desk.tell(first, 2s));
    EXPECT_FALSE(desk.tell(second, 2s));
}

TEST(ReaderAccount, NoticesAChangedValue) {
    Desk desk;
    desk.account.on_register(0s, nullptr, Instant(0s));
    Write told = desk.write(1s);
    told.message.value += 1;
    const auto right = desk.tell(told, 1s);
    ASSERT_FALSE(right);
    EXPECT_THAT(right.error().message, HasSubstr("#1 has changed"));
}

TEST(ReaderAccount, CountsWhatIsPassedOver) {
    Desk desk;
    desk.account.on_register(0s, nullptr, Instant(0s));
    desk.write(1s);
    desk.write(1s);
    EXPECT_TRUE(desk.tell(desk.write(1s), 1s));
    EXPECT_EQ(desk.account.lost(), 2u);
}

TEST(ReaderAccount, DoesNotCountWhatAClearTakesAway) {
    Desk desk;
    desk.account.on_register(0s, nullptr, Instant(0s));
    desk.write(1s);
    desk.account.on_clear();
    EXPECT_TRUE(desk.tell(desk.write(2s), 2s));
    EXPECT_EQ(desk.account.lost(), 0u);
}

TEST(ReaderAccount, NoticesAValueBeforeItsInterval) {
    Desk desk;
    desk.account.on_register(100ms, nullptr, Instant(0s));
    EXPECT_TRUE(desk.tell(desk.write(1000ms), 1000ms));
    const auto right = desk.tell(desk.write(1050ms), 1099ms);
    ASSERT_FALSE(right);
    EXPECT_THAT(right.error().message, HasSubstr("interval of 0.1 s"));
}

TEST(ReaderAccount, AllowsTheNewestValueOnceTheIntervalHasPassed) {
    Desk desk;
    desk.account.on_register(100ms, nullptr, Instant(0s));
    EXPECT_TRUE(desk.tell(desk.write(1000ms), 1000ms));
    desk.write(1020ms);
    EXPECT_TRUE(desk.tell(desk.write(1050ms), 1100ms));
    EXPECT_EQ(desk.account.lost(), 0u) << "that is what an interval is for";
}

TEST(ReaderAccount, JudgesByTheTimeOfQueuingWhenAReaderIsSlow) {
    Desk desk;
    desk.account.on_register(100ms, nullptr, Instant(0s));
    const Write& first = desk.write(1000ms);
    const Write& second = desk.write(1100ms);
    const Write& third = desk.write(1150ms);
    EXPECT_TRUE(desk.tell(first, 9s));
    EXPECT_TRUE(desk.tell(second, 9s)) << "queued at 1.1 s, it only had to wait for the reader";
    EXPECT_TRUE(desk.tell(third, 9s)) << "may have been queued at 1.2 s";
}

TEST(ReaderAccount, NoticesAnIntervalThatNoOrderOfEventsRespects) {
    Desk desk;
    desk.account.on_register(100ms, nullptr, Instant(0s));
    const Write& first = desk.write(1000ms);
    const Write& second = desk.write(1050ms);
    desk.write(1060ms);
    EXPECT_TRUE(desk.tell(first, 9s));
    EXPECT_FALSE(desk.tell(second, 9s)) << "replaced at 1.06 s, so it was queued before that";
}

TEST(ReaderAccount, MeasuresAnewFromEachRegistration) {
    Desk desk;
    desk.account.on_register(100ms, nullptr, Instant(0s));
    const Write& first = desk.write(1000ms);
    EXPECT_TRUE(desk.tell(first, 1000ms));
    desk.account.on_register(100ms, &first, Instant(1010ms));
    EXPECT_TRUE(desk.tell_again(first, 1010ms));
    EXPECT_FALSE(desk.tell(desk.write(1105ms), 1105ms));
}

}  // namespace
}  // namespace caribou::sim
