#include "wire/message_test.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace caribou::wire {
namespace {

TEST(Message, BeginsWithTheDefaultsOfTheWire) {
    const Message m;
    EXPECT_EQ(m.id, -1);
    EXPECT_EQ(m.type, MessageType::null);
    EXPECT_EQ(m.data_type, DataType::number);
    EXPECT_EQ(m.source + m.aux + m.community + m.key + m.payload, "");
    EXPECT_EQ(m.time, -1.0);
    EXPECT_EQ(m.value, -1.0);
    EXPECT_EQ(m.value2, -1.0);
}

TEST(Message, KnowsWhatItsValueIs) {
    EXPECT_TRUE(Message{.data_type = DataType::number}.is_number());
    EXPECT_TRUE(Message{.data_type = DataType::string}.is_string());
    EXPECT_TRUE(Message{.data_type = DataType::binary}.is_binary());
    const Message unwritten{.data_type = DataType::none};
    EXPECT_FALSE(unwritten.is_number() || unwritten.is_string() || unwritten.is_binary());
}

TEST(Message, ViewStandsInTheOwnersMemory) {
    const Message m{.key = "NAV_X", .payload = "here"};
    EXPECT_EQ(view(m).key.data(), m.key.data());
    EXPECT_EQ(view(m).payload.data(), m.payload.data());
}

RC_GTEST_PROP(Message, IsTheSameAfterViewAndOwn, (const Message& m)) {
    RC_ASSERT(identical(own(view(m)), m));
}

}  // namespace
}  // namespace caribou::wire
