#include "negotiation/ros_discovery.hpp"

#include <gtest/gtest.h>

namespace caribou::negotiation {
namespace {

RosDiscovery two_nodes(RosLayout layout) {
    return {.layout = layout,
            .participant = {0x0110a010'11223344, 0x55667788'000001c1},
            .nodes = {{.name_space = "/", .name = "talker", .readers = {{1, 2}}, .writers = {{3, 4}, {5, 6}}},
                      {.name_space = "/fleet/one", .name = "rover"}}};
}

TEST(RosDiscovery, RecognizesTheLayoutByTheBytes) {
    for (const RosLayout layout : {RosLayout::humble, RosLayout::jazzy}) {
        const RosDiscovery some = two_nodes(layout);
        const auto back = decode_ros_discovery(encode_ros_discovery(some));
        ASSERT_TRUE(back.has_value()) << back.error().message;
        EXPECT_EQ(*back, some);
        const RosDiscovery none{.layout = layout, .participant = {7, 8}};
        EXPECT_EQ(decode_ros_discovery(encode_ros_discovery(none)), none) << "also without a node";
    }
}

TEST(RosDiscovery, RefusesOtherBytes) {
    Bytes bytes = encode_ros_discovery(two_nodes(RosLayout::humble));
    bytes.resize(bytes.size() - 9);
    EXPECT_FALSE(decode_ros_discovery(bytes).has_value());
    EXPECT_FALSE(decode_ros_discovery({}).has_value());
    EXPECT_FALSE(decode_ros_discovery(Bytes(200, std::byte{0x41})).has_value());
}

TEST(RosDiscovery, NamesNodesInFull) {
    const RosDiscovery some = two_nodes(RosLayout::humble);
    EXPECT_EQ(some.nodes[0].full_name(), "/talker");
    EXPECT_EQ(some.nodes[1].full_name(), "/fleet/one/rover");
}

}  // namespace
}  // namespace caribou::negotiation
