#include "bus/mail_router.hpp"

#include <gtest/gtest.h>

#include "wire/codec.hpp"

namespace caribou::bus {
namespace {

MailRouter::Delivery deliver(MailRouter& router, std::string_view key) {
    const wire::MessageView message{.type = wire::MessageType::notify, .key = key};
    Bytes raw;
    wire::append_message(raw, message);
    return router.deliver(message, raw);
}

TEST(MailRouter, GivesEachConsumerItsOwnQueueAndKeepsItInPlace) {
    MailRouter router({});
    MailQueue& first = router.queue("A", "first");
    for (int i = 0; i < 100; ++i) router.queue("A", std::to_string(i));
    EXPECT_EQ(&router.queue("A", "first"), &first);
    EXPECT_EQ(deliver(router, "A").queued, 101u);
    EXPECT_EQ(first.size(), 1u);
    EXPECT_TRUE(router.general().empty());
}

TEST(MailRouter, FallsBackToTheGeneralHandlerThenTheGeneralQueue) {
    MailRouter router({});
    int heard = 0;
    router.on_mail("A", [&](const wire::MessageView&) { heard += 1; });
    router.on_other_mail([&](const wire::MessageView&) { heard += 10; });
    deliver(router, "A");
    deliver(router, "B");
    EXPECT_EQ(heard, 11);
    router.on_mail("A", {});
    router.on_other_mail({});
    deliver(router, "A");
    EXPECT_EQ(router.general().size(), 1u);
}

TEST(MailRouter, SaysWhatFullQueuesLost) {
    MailRouter router({.messages = 1});
    router.queue("A", "");
    EXPECT_EQ(deliver(router, "A").lost, 0u);
    EXPECT_EQ(deliver(router, "A").lost, 1u);
}

}  // namespace
}  // namespace caribou::bus
