#include "negotiation/ros_peers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace caribou::negotiation {
namespace {

RosDiscovery one_node(RosLayout layout, std::uint64_t process, const std::string& name) {
    return {.layout = layout,
            .participant = {process, 1},
            .nodes = {{.name = name, .readers = {{process, 2}}, .writers = {{process, 3}}}}};
}

TEST(RosPeers, FollowsTheLayoutThatIsThere) {
    RosPeers peers;
    EXPECT_EQ(peers.layout(), RosLayout::humble) << "while alone";
    peers.hear({1, 9}, one_node(RosLayout::jazzy, 1, "talker"), false);
    EXPECT_EQ(peers.layout(), RosLayout::jazzy);
    EXPECT_FALSE(peers.mixed());
    peers.hear({2, 9}, one_node(RosLayout::humble, 2, "rover"), true);
    EXPECT_EQ(peers.layout(), RosLayout::jazzy) << "the other one follows, too";
    EXPECT_FALSE(peers.mixed());
    peers.forget({1, 9});
    EXPECT_EQ(peers.layout(), RosLayout::humble);
}

TEST(RosPeers, ReportsAMixedDomain) {
    RosPeers peers;
    peers.hear({1, 9}, one_node(RosLayout::jazzy, 1, "talker"), false);
    peers.hear({2, 9}, one_node(RosLayout::humble, 2, "listener"), false);
    peers.hear({3, 9}, one_node(RosLayout::humble, 3, "other"), false);
    EXPECT_EQ(peers.layout(), RosLayout::humble);
    EXPECT_THAT(
        peers.mixed().value_or(""),
        testing::HasSubstr("2 announced as in Humble, such as /listener, 1 as in Jazzy, such as /talker"));
}

TEST(RosPeers, NamesTheNodeOfAWriterOrReader) {
    RosPeers peers;
    peers.hear({1, 9}, one_node(RosLayout::humble, 1, "talker"), false);
    EXPECT_EQ(peers.node_of({1, 2}), "/talker");
    EXPECT_EQ(peers.node_of({1, 3}), "/talker");
    EXPECT_EQ(peers.node_of({1, 77}), "/talker") << "the only node of that process";
    EXPECT_EQ(peers.node_of({2, 2}), std::nullopt);
    RosDiscovery two = one_node(RosLayout::humble, 1, "talker");
    two.nodes.push_back({.name = "second", .readers = {{1, 5}}});
    peers.hear({1, 9}, two, false);
    EXPECT_EQ(peers.node_of({1, 5}), "/second");
    EXPECT_EQ(peers.node_of({1, 77}), std::nullopt);
}

}  // namespace
}  // namespace caribou::negotiation
