// A negotiation with a peer on another DDS implementation: Fast DDS, hand-written types
// (tests/dds/fast_dds_peer.cpp).

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <list>

#include <test_paths.hpp>
#include "child/child_process.hpp"
#include "child/program.hpp"
#include "dds/dds_rig.hpp"
#include "negotiation/negotiation_rig.hpp"

namespace caribou::negotiation {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

class FastDds : public testing::Test {
protected:
    tests::DdsRig rig_;
    tests::ChildProcess peer_{{tests::in_build("fast_dds_peer"), std::to_string(rig_.lease.domain())}};
};

TEST_F(FastDds, NegotiatesWithUsAndHearsWhatWasAgreedOn) {
    Speaker speaker(rig_.loop(), rig_.process(0), {.a = 0, .b = 5, .c = 0}, {});
    ASSERT_EQ(peer_.read_line(20s), "ready");
    ASSERT_TRUE(rig_.run_until([&] { return speaker.negotiated() == "a"; })) << speaker.negotiated();
    std::optional<std::string> line;
    for (int i = 0; i < 200 && !(line && line->starts_with("text")); ++i) {
        speaker.say("caribou");
        rig_.event_loop.run_until([] { return false; }, 50ms);
        line = peer_.read_line(50ms);
        if (line && line->starts_with("result")) {
            EXPECT_EQ(*line, "result 1 std_msgs/msg/String a /base/a");
        }
    }
    EXPECT_THAT(line.value_or("nothing"), HasSubstr("caribou"));
}

TEST_F(FastDds, IsMissedWhenItGoes) {
    Speaker speaker(rig_.loop(), rig_.process(0), {.a = 0, .b = 5, .c = 0}, {});
    ASSERT_EQ(peer_.read_line(20s), "ready");
    ASSERT_TRUE(rig_.run_until([&] { return speaker.negotiated() == "a"; }));
    peer_.signal(SIGKILL);
    EXPECT_TRUE(rig_.run_until([&] { return speaker.negotiated().empty(); })) << "its lease ends";
}

/// The result of such a publisher is sent when a list arrives, which may be before it has found our reader.
TEST(FastDdsPublisher, AnswersEverySubscription) {
    constexpr std::size_t joins = 500;
    constexpr std::size_t at_once = 20;
    tests::DdsRig rig;
    tests::ChildProcess peer{
        {tests::in_build("fast_dds_peer"), std::to_string(rig.lease.domain()), "publish"}};
    ASSERT_EQ(peer.read_line(20s), "ready");
    std::size_t asked_again = 0;
    for (std::size_t joined = 0; joined < joins; joined += at_once) {
        std::list<Listener> listeners;
        for (std::size_t i = 0; i < at_once; ++i)
            listeners.emplace_back(rig.loop(), rig.process(0), Likes{.a = 1});
        ASSERT_TRUE(rig.run_until([&] {
            return std::ranges::all_of(listeners, [](const Listener& l) { return l.connected_to() == "a"; });
        })) << "after "
            << joined << " joins: "
            << std::ranges::count_if(listeners, [](const Listener& l) { return l.connected_to() != "a"; })
            << " wait";
        for (const Listener& listener : listeners)
            if (listener.subscription.count().lists_sent > 1) ++asked_again;
    }
    RecordProperty("asked_again", static_cast<int>(asked_again));
    std::printf("%zu of %zu had to ask again\n", asked_again, joins);
}

TEST(FastDdsPublisher, IsExplainedWithoutAReport) {
    tests::DdsRig rig;
    const std::string domain = std::to_string(rig.lease.domain());
    tests::ChildProcess peer{{tests::in_build("fast_dds_peer"), domain, "publish"}};
    ASSERT_EQ(peer.read_line(20s), "ready");
    const Listener listener(rig.loop(), rig.process(0), {.a = 1});
    ASSERT_TRUE(rig.run_until([&] { return listener.connected_to() == "a"; }));
    const auto explained =
        tests::run({"topics", "explain", "/base", "--transport", "dds", "--search", "3", "--domain", domain});
    EXPECT_EQ(explained.code, 0) << explained.err;
    EXPECT_THAT(explained.out, HasSubstr("/base is negotiated by a publisher that sends no report"));
    EXPECT_THAT(explained.out, HasSubstr("process 0 supports std_msgs/msg/String a (weight 1)"));
}

}  // namespace
}  // namespace caribou::negotiation
