#include "negotiation/typed_sample.hpp"

#include <gtest/gtest.h>

#include "loop/virtual_loop.hpp"
#include "msg/std_msgs/int32.hpp"
#include "msg/std_msgs/string.hpp"
#include "negotiation/in_process_transport.hpp"
#include "negotiation/negotiation_rig.hpp"

namespace caribou::negotiation {

/// A user-defined type that counts its copies and conversions.
struct Picture {
    explicit Picture(std::string from) : pixels(std::move(from)) {}
    Picture(const Picture& other) : pixels(other.pixels) { ++copies; }
    Picture(Picture&&) = default;
    Picture& operator=(const Picture&) = delete;
    ~Picture() = default;

    std::string pixels;
    static inline int copies = 0;
    static inline int conversions = 0;
};

template <>
struct TypeAdapter<Picture> {
    using Message = String;
    static Message to_message(const Picture& picture) {
        ++Picture::conversions;
        return {picture.pixels};
    }
    static Picture from_message(const Message& message) {
        ++Picture::conversions;
        return Picture(message.data);
    }
};

namespace {

struct Pictures {
    using MsgT = Picture;
    static constexpr std::string_view supported_type_name = "picture";
};
/// The same type as seen from outside, as a plain message.
struct PlainPictures {
    using MsgT = String;
    static constexpr std::string_view supported_type_name = "picture";
};

TEST(TypeAdapter, NeitherConvertsNorCopiesWithinTheProcess) {
    InProcessRig rig;
    NegotiatedPublisher publisher(rig.loop(), rig.transport, "/pictures");
    ASSERT_TRUE(publisher.add_supported_type<Pictures>(1).has_value());
    ASSERT_TRUE(publisher.start().has_value());
    NegotiatedSubscription subscription(rig.loop(), rig.transport, "/pictures");
    const Picture* heard = nullptr;
    ASSERT_TRUE(subscription.add_supported_callback<Pictures>(1, {}, [&](const Picture& p) { heard = &p; })
                    .has_value());
    ASSERT_TRUE(subscription.start().has_value());
    rig.settle();
    Picture::copies = Picture::conversions = 0;
    auto picture = std::make_unique<Picture>("many pixels");
    const Picture* const sent = picture.get();
    ASSERT_EQ(publisher.publish<Pictures>(std::move(picture)), Published::sent);
    rig.settle();
    EXPECT_EQ(heard, sent);
    EXPECT_EQ(Picture::copies, 0);
    EXPECT_EQ(Picture::conversions, 0);
}

TEST(TypeAdapter, IsAnOrdinaryMessageToTheOthers) {
    InProcessRig rig;
    NegotiatedPublisher publisher(rig.loop(), rig.transport, "/pictures");
    ASSERT_TRUE(publisher.add_supported_type<Pictures>(1).has_value());
    ASSERT_TRUE(publisher.start().has_value());
    NegotiatedSubscription subscription(rig.loop(), rig.transport, "/pictures");
    std::shared_ptr<const String> heard;
    ASSERT_TRUE(subscription
                    .add_supported_callback<PlainPictures>(
                        1, {}, [&](std::shared_ptr<const String> s) { heard = std::move(s); })
                    .has_value());
    ASSERT_TRUE(subscription.start().has_value());
    rig.settle();
    ASSERT_EQ(publisher.publish<Pictures>(Picture("pixels")), Published::sent);
    rig.settle();
    ASSERT_TRUE(heard);
    EXPECT_EQ(heard->data, "pixels");
    EXPECT_EQ(publisher.publish<PlainPictures>(String{"plain"}), Published::sent) << "the key is the same";
}

TEST(TypedSample, ComesBackFromItsBytes) {
    const Sample sample = make_sample(std::make_shared<const Picture>("pixels"), {});
    const Sample received(std::make_shared<const Bytes>(sample.bytes()), {});
    EXPECT_EQ(received.type(), nullptr);
    EXPECT_EQ((*object_of<Picture>(received))->pixels, "pixels");
    EXPECT_EQ((*object_of<String>(received))->data, "pixels");
}

TEST(TypedSample, SaysWhatIsWrongWithBytes) {
    const Sample sample(std::make_shared<const Bytes>(Bytes(3)), {});
    EXPECT_FALSE(object_of<String>(sample).has_value());
    EXPECT_FALSE(object_of<Picture>(sample).has_value());
}

struct PlainWords {
    using MsgT = msg::std_msgs::String;
    static constexpr std::string_view supported_type_name = "words";
};

TEST(TypesKnownAtRunTime, AreNegotiatedAsBytesAlsoWithTypedPeers) {
    VirtualLoop loop;
    InProcessTransport topics(loop);
    const TypeKey own{"own_msgs/msg/Engine", "engine"};
    const TypeKey words = key_of<PlainWords>();
    NegotiatedPublisher publisher(loop, topics, "/base");
    ASSERT_TRUE(publisher.add_supported_type(own, 0));
    ASSERT_TRUE(publisher.add_supported_type(words, 1));
    ASSERT_TRUE(publisher.start());
    std::vector<Bytes> engines;
    NegotiatedSubscription engine(loop, topics, "/base");
    ASSERT_TRUE(engine.add_supported_callback(
        own, 0, {}, [&](const Sample& sample) { engines.push_back(sample.bytes()); }));
    ASSERT_TRUE(engine.start());
    std::vector<std::string> texts;
    NegotiatedSubscription typed(loop, topics, "/base");
    ASSERT_TRUE(typed.add_supported_callback<PlainWords>(
        0, {}, [&](const msg::std_msgs::String& text) { texts.push_back(text.data); }));
    ASSERT_TRUE(typed.start());
    loop.advance(std::chrono::seconds(1));
    ASSERT_TRUE(publisher.type_was_negotiated(own) && publisher.type_was_negotiated(words));
    const Bytes message{std::byte{0}, std::byte{1}, std::byte{0}, std::byte{0}, std::byte{7}};
    EXPECT_EQ(publisher.publish(own, std::make_shared<const Bytes>(message)), Published::sent);
    EXPECT_EQ(publisher.publish(
                  words, std::make_shared<const Bytes>(wire::encode_cdr(msg::std_msgs::String{"hello"}))),
              Published::sent);
    loop.advance(std::chrono::seconds(1));
    EXPECT_EQ(engines, std::vector<Bytes>{message});
    EXPECT_EQ(texts, std::vector<std::string>{"hello"});
    EXPECT_FALSE(publisher.publish(own, nullptr));
    ASSERT_TRUE(publisher.remove_supported_type(own));
    EXPECT_FALSE(publisher.publish(own, std::make_shared<const Bytes>(message)));
}

}  // namespace
}  // namespace caribou::negotiation
