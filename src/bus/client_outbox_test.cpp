#include "bus/client_outbox.hpp"

#include <algorithm>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/limits.hpp"
#include "wire/codec.hpp"

namespace caribou::bus {
namespace {

using wire::MessageType;
using wire::MessageView;

MessageView number(double value, std::string_view payload = {}) {
    return {.type = MessageType::notify, .key = "K", .value = value, .payload = payload};
}

std::vector<double> values_in(ByteView messages) {
    std::vector<double> all;
    while (!messages.empty()) {
        const ByteView first = first_message(messages);
        all.push_back(wire::decode_message(first)->value);
        messages = messages.subspan(first.size());
    }
    return all;
}

TEST(ClientOutbox, CutsWhatIsTooLongForOnePacket) {
    ClientOutbox outbox({});
    const std::string half(ClientOutbox::max_packet / 2, 'x');
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(outbox.push(number(i, half)));
    for (int i = 0; i < 3; ++i) {
        EXPECT_TRUE(outbox.has_waiting());
        outbox.take_packet();
        EXPECT_EQ(values_in(outbox.packet()), std::vector<double>{static_cast<double>(i)});
        outbox.packet_sent();
    }
    EXPECT_TRUE(outbox.empty());
}

TEST(ClientOutbox, DropsNothingThatIsOnItsWay) {
    ClientOutbox outbox({.messages = 2, .when_full = WhenFull::drop_oldest});
    ASSERT_TRUE(outbox.push(number(1)));
    outbox.take_packet();
    EXPECT_EQ(outbox.push(number(2)), Pushed::accepted);
    EXPECT_EQ(outbox.push(number(3)), Pushed::dropped_oldest);
    EXPECT_EQ(values_in(outbox.packet()), std::vector<double>{1});
    outbox.packet_sent();
    outbox.take_packet();
    EXPECT_EQ(values_in(outbox.packet()), std::vector<double>{3});
    EXPECT_EQ(outbox.dropped(), 1u);
}

TEST(ClientOutbox, KeepsOfALostConnectionWhatWasNotHandedOver) {
    ClientOutbox outbox({});
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(outbox.push(number(i)));
    ASSERT_TRUE(outbox.push({.type = MessageType::register_, .key = "K"}));
    const std::size_t one = wire::encoded_size(number(0));
    outbox.take_packet();
    ASSERT_TRUE(outbox.push(number(3)));
    EXPECT_EQ(outbox.connection_lost(one + 1, OnLoss::keep), 0u);
    outbox.take_packet();
    EXPECT_EQ(values_in(outbox.packet()), (std::vector<double>{1, 2, 3}));
    EXPECT_EQ(outbox.connection_lost(one, OnLoss::drop), 2u);
    EXPECT_TRUE(outbox.empty());
}

/// After any sequence of operations each notification has been sent, is waiting, or was counted, in order.
RC_GTEST_PROP(ClientOutbox, LosesAndReordersNothingUncounted,
              (std::vector<std::uint8_t> steps, bool drop_oldest, bool keep)) {
    ClientOutbox outbox(
        {.messages = 6, .bytes = 500, .when_full = drop_oldest ? WhenFull::drop_oldest : WhenFull::refuse});
    double next = 0;
    std::size_t refused = 0;
    std::size_t lost = 0;
    std::vector<double> sent;
    const auto send_all = [&] {
        std::ranges::copy(values_in(outbox.packet()), std::back_inserter(sent));
        outbox.packet_sent();
    };
    for (const auto step : steps) {
        if (step < 150) {
            const std::string payload(step, 'x');
            if (!outbox.push(number(next++, payload))) ++refused;
        } else if (step < 200) {
            if (outbox.packet_count() == 0) outbox.take_packet();
        } else if (step < 240) {
            send_all();
        } else {
            // Part of the packet was passed to the network: complete messages count as sent.
            const std::size_t part = outbox.packet().size() * (step - 240u) / 16;
            std::size_t whole = 0;
            for (const double value : values_in(outbox.packet())) {
                whole += first_message(outbox.packet().subspan(whole)).size();
                if (whole <= part) sent.push_back(value);
            }
            lost += outbox.connection_lost(part, keep ? OnLoss::keep : OnLoss::drop);
        }
        RC_ASSERT(outbox.bytes() <= 500u);
        RC_ASSERT(static_cast<std::size_t>(next) ==
                  sent.size() + outbox.count() + refused + lost + outbox.dropped());
    }
    send_all();
    outbox.take_packet();
    send_all();
    RC_ASSERT(std::ranges::is_sorted(sent));
    RC_ASSERT(std::ranges::adjacent_find(sent) == sent.end());
}

}  // namespace
}  // namespace caribou::bus
