#include "bus/mail_queue.hpp"

#include <algorithm>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "wire/codec.hpp"

namespace caribou::bus {
namespace {

Bytes encoded(double value, std::size_t payload = 0) {
    const std::string text(payload, 'p');
    Bytes bytes;
    wire::append_message(bytes,
                         {.type = wire::MessageType::notify, .key = "K", .value = value, .payload = text});
    return bytes;
}

TEST(MailQueue, GivesBackWhatItWasGiven) {
    MailQueue queue({});
    EXPECT_FALSE(queue.front());
    EXPECT_FALSE(queue.pop());
    EXPECT_EQ(queue.push(encoded(1)), Pushed::accepted);
    EXPECT_EQ(queue.push(encoded(2, 10)), Pushed::accepted);
    EXPECT_EQ(queue.front()->value, 1);
    queue.pop_front();
    EXPECT_EQ(queue.front()->payload, "pppppppppp");
    EXPECT_EQ(queue.pop()->value, 2);
    EXPECT_TRUE(queue.empty());
}

TEST(MailQueue, TurnsAwayWhatCanNeverFit) {
    MailQueue queue({.bytes = 80});
    EXPECT_EQ(queue.push(encoded(1)), Pushed::accepted);
    EXPECT_EQ(queue.push(encoded(2, 100)), Pushed::refused);
    EXPECT_EQ(queue.lost(), 2u);  // the first push had already made room
}

RC_GTEST_PROP(MailQueue, LosesAndReordersNothingUncounted,
              (std::vector<std::pair<bool, std::uint8_t>> steps, bool drop_oldest)) {
    const QueueLimit limit{
        .messages = 5, .bytes = 600, .when_full = drop_oldest ? WhenFull::drop_oldest : WhenFull::refuse};
    MailQueue queue(limit);
    std::vector<double> given;
    std::vector<double> taken;
    double next = 0;
    for (const auto& [push, size] : steps) {
        if (push) {
            static_cast<void>(queue.push(encoded(next, size)));
            given.push_back(next++);
        } else if (auto message = queue.pop()) {
            taken.push_back(message->value);
        }
        RC_ASSERT(queue.size() <= limit.messages);
        RC_ASSERT(given.size() == taken.size() + queue.size() + queue.lost());
    }
    for (const auto& message : queue.fetch()) taken.push_back(message.value);
    RC_ASSERT(std::ranges::is_sorted(taken));
}

}  // namespace
}  // namespace caribou::bus
