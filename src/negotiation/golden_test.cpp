// The encoding of the four messages, compared with the bytes that ROS 2 nodes exchange.

#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <test_paths.hpp>
#include "msg/negotiated_interfaces/negotiated_topics_info.hpp"
#include "msg/negotiated_interfaces/supported_types.hpp"
#include "wire/cdr.hpp"

namespace caribou::negotiation {
namespace {

namespace interfaces = msg::negotiated_interfaces;

/// Returns the bytes of a golden file: pairs of hex digits; `#` starts a comment.
Bytes golden(const std::string& name) {
    std::ifstream file(tests::in_repository("tests/golden/negotiation/") + name + ".hex");
    EXPECT_TRUE(file.is_open()) << name;
    Bytes bytes;
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line.substr(0, line.find('#')));
        for (std::string word; words >> word;)
            bytes.push_back(static_cast<std::byte>(std::stoi(word, nullptr, 16)));
    }
    return bytes;
}

template <class Message>
void expect_golden(const std::string& name, const Message& message) {
    EXPECT_EQ(wire::encode_cdr(message), golden(name)) << name;
    EXPECT_EQ(wire::decode_cdr<Message>(golden(name)), message) << name;
}

TEST(GoldenMessages, AreReadAndWrittenToTheByte) {
    const interfaces::SupportedType type{"std_msgs/msg/String", "a", -1.5};
    expect_golden("supported_type", type);
    expect_golden("supported_types", interfaces::SupportedTypes{{type, {"p/msg/T", "quantised", 0}}});
    expect_golden("supported_types_empty", interfaces::SupportedTypes{});
    const interfaces::NegotiatedTopicInfo info{"std_msgs/msg/String", "a", "/scan/a"};
    expect_golden("negotiated_topic_info", info);
    expect_golden("negotiated_topics_info", interfaces::NegotiatedTopicsInfo{true, {info}});
    expect_golden("negotiated_topics_info_failed", interfaces::NegotiatedTopicsInfo{});
}

}  // namespace
}  // namespace caribou::negotiation
