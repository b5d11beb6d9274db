#pragma once

#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "msg/std_msgs/string.hpp"
#include "negotiation/negotiated_publisher.hpp"
#include "negotiation/transport.hpp"
#include "views/encodings.hpp"
#include "wire/camera_image.hpp"

namespace caribou::station {

/// Publishes given values as a robot does. Private to tests.
struct TextWriter final : negotiation::WriterEvents {
    TextWriter(Loop& its_loop, negotiation::Transport& transport, const std::string& topic)
        : loop(its_loop),
          writer(transport
                     .advertise({topic, "std_msgs/msg/String"},
                                {.durability = negotiation::Durability::transient_local, .depth = 1}, *this)
                     .value()) {}
    void say(std::string text) {
        auto message = std::make_shared<msg::std_msgs::String>();
        message->data = std::move(text);
        EXPECT_TRUE(writer->write(negotiation::make_sample(
            std::shared_ptr<const msg::std_msgs::String>(message), loop.clock().wall())));
    }
    void on_reader_joined(const negotiation::Peer&) override { ++readers; }
    void on_reader_gone(const negotiation::Peer&) override { --readers; }

    Loop& loop;
    std::unique_ptr<negotiation::Writer> writer;
    int readers = 0;
};

/// Shaped like a JPEG; `/9j/2gACEv/Z` in base64.
inline Bytes small_jpeg() {
    Bytes bytes;
    for (const unsigned value : {0xffU, 0xd8U, 0xffU, 0xdaU, 0U, 2U, 0x12U, 0xffU, 0xd9U})
        bytes.push_back(static_cast<std::byte>(value));
    return bytes;
}

/// The camera of a robot, as it is published. Private to tests.
class PlayedEye {
public:
    PlayedEye(Loop& loop, negotiation::Transport& topics) : publisher_(loop, topics, "/rover/camera") {
        EXPECT_TRUE(publisher_.add_supported_type<views::FullCamera>(1, views::camera_qos));
        EXPECT_TRUE(publisher_.add_supported_type<views::HalfCamera>(1, views::camera_qos));
        EXPECT_TRUE(publisher_.add_supported_type<views::GrayCamera>(1, views::camera_qos));
        EXPECT_TRUE(publisher_.start());
    }
    /// Returns the encodings that have a reader.
    std::vector<std::string> wanted() const {
        std::vector<std::string> names;
        if (publisher_.type_was_negotiated<views::FullCamera>()) names.emplace_back("full");
        if (publisher_.type_was_negotiated<views::HalfCamera>()) names.emplace_back("half");
        if (publisher_.type_was_negotiated<views::GrayCamera>()) names.emplace_back("gray");
        return names;
    }
    void show(const wire::CameraImage& image) {
        const auto message = views::message_of(wire::encode_camera_image(image));
        std::ignore = publisher_.publish<views::FullCamera>(message);
        std::ignore = publisher_.publish<views::HalfCamera>(message);
        std::ignore = publisher_.publish<views::GrayCamera>(message);
    }

private:
    negotiation::NegotiatedPublisher publisher_;
};

}  // namespace caribou::station
