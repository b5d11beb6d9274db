#include "bus/share_line.hpp"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/random.hpp"
#include "bus/paced_queue.hpp"
#include "wire/codec.hpp"

namespace caribou::bus {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

ShareLine::Mark mark(int number) {
    ShareLine::Mark all{};
    all.fill(static_cast<std::byte>(number));
    return all;
}

Bytes value(std::string_view name, std::string_view text) {
    Bytes bytes;
    wire::append_message(bytes, {.type = wire::MessageType::notify,
                                 .data_type = wire::DataType::string,
                                 .source = "p",
                                 .community = "alpha",
                                 .key = name,
                                 .payload = text});
    return bytes;
}

/// Two ends, and the link between them.
class TwoEnds {
public:
    explicit TwoEnds(double bytes_per_second = 0)
        : from({.own = mark(1), .bytes_per_second = bytes_per_second}),
          to({.own = mark(2), .calls = false}) {}

    void offer(std::string_view name, std::string_view text, int priority = 5) {
        from.offer(name, priority, value(name, text));
    }
    /// Runs both ends. `loss` is the probability that a datagram is lost.
    void run(Duration time, double loss = 0) {
        for (const Instant end = now + time; now < end; now += 25ms) {
            for (const Bytes& content : from.take(now)) {
                bytes += content.size() + ShareLine::Settings().overhead;
                if (!random.chance(loss)) deliver(to, marks.first, content, loss);
            }
            for (const Bytes& content : to.take(now))
                if (!random.chance(loss)) deliver(from, marks.second, content, loss);
        }
    }
    void restart_receiver() {
        marks.second = mark(++starts);
        to = ShareLine({.own = marks.second, .calls = false});
        latest.clear();
    }
    void deliver(ShareLine& end, const ShareLine::Mark& sender, const Bytes& content, double loss) {
        datagrams.push_back(content);
        const auto received = end.receive(sender, content, now);
        for (const Bytes& message : received.messages) {
            const auto view = wire::decode_message(message).value();
            latest[std::string(view.key)] = view.payload;
            arrived.push_back(std::string(view.key) + "=" + std::string(view.payload.substr(0, 20)));
        }
        if (!received.reply || random.chance(loss)) return;
        const bool at_sender = &end == &from;
        deliver(at_sender ? to : from, at_sender ? marks.first : marks.second, *received.reply, loss);
    }

    ShareLine from;
    ShareLine to;
    std::pair<ShareLine::Mark, ShareLine::Mark> marks{mark(1), mark(2)};
    Random random{42};
    Instant now{1h};
    std::size_t bytes = 0;
    int starts = 2;
    std::vector<Bytes> datagrams;
    std::vector<std::string> arrived;
    std::map<std::string, std::string> latest;
};

TEST(ShareLine, CarriesEachValueOnceOverAGoodLink) {
    TwoEnds ends;
    ends.run(100ms);
    ends.offer("A", "1");
    ends.offer("B", "2");
    ends.run(50ms);
    EXPECT_THAT(ends.arrived, ElementsAre("A=1", "B=2"));
    ends.run(30s);
    EXPECT_THAT(ends.arrived, SizeIs(2));
    EXPECT_EQ(ends.from.waiting(), 0U);
    EXPECT_EQ(ends.from.counts().repeated, 0U);
    EXPECT_TRUE(ends.from.answers(ends.now) && ends.to.answers(ends.now));
}

TEST(ShareLine, WritesTheContentsOfTheFormat) {
    ShareLine line({.own = mark(1)});
    const auto beacon = line.take(Instant{1h});
    ASSERT_THAT(beacon, SizeIs(1));
    Bytes expected(17);
    expected[0] = std::byte{1};
    EXPECT_EQ(beacon[0], expected) << "a version, and no mark of the other end yet";
    Bytes echo{std::byte{1}};
    append(echo, mark(1));
    EXPECT_TRUE(line.receive(mark(2), echo, Instant{1h}).is_live);
    const Bytes message = value("A", "1");
    line.offer("A", 5, message);
    Bytes content{std::byte{1}};
    append(content, mark(2));
    for (const int byte : {1, 1, 0, 0, 0, 0, 0, 1, 0, static_cast<int>(message.size()), 0})
        content.push_back(static_cast<std::byte>(byte));
    append(content, message);
    EXPECT_THAT(line.take(Instant{1h}), ElementsAre(content));
}

TEST(ShareLine, SendsTheLastValueOfEachVariableAfterAnOutage) {
    TwoEnds ends;
    ends.offer("A", "0");
    ends.run(1s);
    for (int i = 1; i <= 100; ++i) {
        ends.offer("A", std::to_string(i));
        ends.offer("B", std::to_string(i));
        ends.run(1s, 1);
    }
    ends.arrived.clear();
    EXPECT_FALSE(ends.from.answers(ends.now));
    ends.run(3s);
    EXPECT_THAT(ends.arrived, ElementsAre("A=100", "B=100"));
    EXPECT_EQ(ends.from.waiting(), 0U);
}

TEST(ShareLine, SendsTheLastValuesAgainWhenTheOtherEndWasStartedAgain) {
    TwoEnds ends;
    ends.offer("A", "1");
    ends.offer("B", "2");
    ends.run(1s);
    ends.restart_receiver();
    ends.run(ShareLine::beacon_interval + 1s);
    EXPECT_EQ(ends.latest, (std::map<std::string, std::string>{{"A", "1"}, {"B", "2"}}));
}

TEST(ShareLine, SplitsLargeMessagesAndCompletesThemUnderLoss) {
    TwoEnds ends;
    const std::string large(45'000, 'x');
    ends.offer("A", large);
    ends.run(60s, 0.3);
    EXPECT_EQ(ends.latest["A"], large);
    for (const Bytes& content : ends.datagrams) EXPECT_LE(content.size(), 1138U);
}

TEST(ShareLine, KeepsItsBudgetAndSendsUrgentValuesFirst) {
    TwoEnds ends(200);
    ends.run(2s);
    for (int i = 0; i < 20; ++i) ends.offer("LOW" + std::to_string(i), std::string(150, 'l'), 1);
    ends.run(1s);
    ends.bytes = 0;
    ends.arrived.clear();
    ends.offer("HIGH", "now", 9);
    ends.run(10s);
    ASSERT_FALSE(ends.arrived.empty());
    EXPECT_EQ(ends.arrived.front(), "HIGH=now");
    EXPECT_LE(ends.bytes, 200U * 10 + 200 + 1228) << "budget, one second of it saved, one datagram of debt";
    ends.run(60s);
    EXPECT_THAT(ends.latest, SizeIs(21));
}

TEST(ShareLine, ReportsWhetherAValueReplacesOneThatWasNeverSent) {
    ShareLine line({.bytes_per_second = 400});
    const Bytes message(100);
    EXPECT_FALSE(line.offer("X", 5, message));
    EXPECT_TRUE(line.offer("X", 5, message));
    EXPECT_FALSE(line.offer("Y", 5, message));
    const Bytes large(5000);
    EXPECT_TRUE(line.offer("X", 5, large));
}

TEST(ShareLine, IgnoresRepeatedContentsAndItsOwn) {
    TwoEnds ends;
    ends.offer("A", "1");
    ends.run(1s);
    ends.offer("A", "2");
    ends.run(1s);
    const auto before = ends.arrived;
    for (const Bytes& content : std::vector(ends.datagrams)) {
        EXPECT_THAT(ends.to.receive(mark(1), content, ends.now).messages, IsEmpty());
        EXPECT_THAT(ends.from.receive(mark(1), content, ends.now).messages, IsEmpty());
    }
    ends.restart_receiver();
    for (const Bytes& content : std::vector(ends.datagrams)) {
        const auto received = ends.to.receive(mark(1), content, ends.now);
        EXPECT_THAT(received.messages, IsEmpty()) << "made before it was started";
        EXPECT_FALSE(received.is_live);
    }
    EXPECT_EQ(ends.arrived, before);
}

TEST(PacedQueue, SendsTheLatestOfEachNameByPriorityWithinItsBudget) {
    PacedQueue queue(100, 28);
    const Bytes message(72);
    int replaced = 0;
    for (const auto* name : {"A", "B", "A", "C"})
        if (queue.offer(name, *name == 'C' ? 9 : 1, message)) ++replaced;
    EXPECT_EQ(replaced, 1);
    EXPECT_EQ(queue.waiting(), 3U);
    Instant now{1h};
    EXPECT_TRUE(queue.take(now));
    EXPECT_FALSE(queue.take(now)) << "the budget of this second is spent";
    int taken = 1;
    for (int i = 0; i < 400; ++i)
        if (now += 25ms; queue.take(now)) ++taken;
    EXPECT_EQ(taken, 3);
    queue.offer("LOW", 1, Bytes{std::byte{1}});
    queue.offer("HIGH", 2, Bytes{std::byte{2}});
    EXPECT_EQ(queue.take(now + 10s), Bytes{std::byte{2}});
}

/// Whatever is lost and however often the receiver is started again: the values of a variable arrive in
/// order, and when the link is good again, the last one of each has arrived.
RC_GTEST_PROP(ShareLineProperty, BringsTheLastValueOfEachVariable, ()) {
    TwoEnds ends(*rc::gen::element(0.0, 2'000.0));
    ends.random = Random(*rc::gen::arbitrary<std::uint64_t>());
    std::map<std::string, std::string> last;
    const int steps = *rc::gen::inRange(1, 40);
    for (int i = 0; i < steps; ++i) {
        const std::string name(1, static_cast<char>('A' + *rc::gen::inRange(0, 4)));
        const std::string text =
            std::to_string(i) + std::string(*rc::gen::element<std::size_t>(0, 0, 3000), 'x');
        last[name] = text;
        ends.offer(name, text, *rc::gen::inRange(0, 10));
        if (*rc::gen::inRange(0, 15) == 0) ends.restart_receiver();
        ends.run(std::chrono::milliseconds(*rc::gen::element(0, 25, 200, 3000)),
                 *rc::gen::element(0.0, 0.5, 1.0));
    }
    std::map<char, int> newest;
    for (const std::string& one : ends.arrived) {
        if (ends.starts > 2) break;  // a new start receives the latest again
        const int number = std::stoi(one.substr(2));
        RC_ASSERT(!newest.contains(one[0]) || newest[one[0]] < number);
        newest[one[0]] = number;
    }
    ends.run(90s);
    RC_ASSERT(ends.latest == last);
    RC_ASSERT(ends.from.waiting() == 0);
}

}  // namespace
}  // namespace caribou::bus
