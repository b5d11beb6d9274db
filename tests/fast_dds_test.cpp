// A negotiation with a peer on another DDS implementation: Fast DDS, hand-written types
// (tests/dds/fast_dds_peer.cpp).

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

#include <test_paths.hpp>
#include "child/child_process.hpp"
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

}  // namespace
}  // namespace caribou::negotiation
