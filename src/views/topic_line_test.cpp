#include "views/topic_line.hpp"

#include <gtest/gtest.h>

#include "loop/virtual_loop.hpp"
#include "negotiation/typed_sample.hpp"
#include "views/encodings.hpp"

namespace caribou::views {
namespace {

using namespace std::chrono_literals;

/// A line whose connection accepts nothing, and the other end, which reads topics over it.
class StuckLine {
public:
    StuckLine() { far_session_ = far_.join("near", far_sender_); }

    struct Topic final : negotiation::WriterEvents, negotiation::ReaderEvents {
        void on_sample(const negotiation::Peer&, const negotiation::Sample&) override {}
        std::unique_ptr<negotiation::Writer> writer;
        std::unique_ptr<negotiation::Reader> reader;
    };
    /// A topic that is written here and read there.
    std::unique_ptr<Topic> topic(const std::string& name, const negotiation::TopicQos& qos) {
        auto made = std::make_unique<Topic>();
        const negotiation::Topic of{name, "std_msgs/msg/UInt8MultiArray"};
        made->writer = here_.advertise(of, qos, *made).value();
        made->reader = far_.subscribe(of, qos, *made).value();
        loop_.advance(10ms);
        return made;
    }
    /// Returns the number of bytes that it adds to those that wait.
    std::size_t write(Topic& topic, std::size_t size) {
        const std::size_t before = outbox.topic_bytes();
        begin_to_write(topic, size);
        return end_turn() - before;
    }
    /// Writes when the loop turns next.
    void begin_to_write(Topic& topic, std::size_t size) {
        const auto message = std::make_shared<const BytesMessage>(message_of(Bytes(size)));
        std::ignore = topic.writer->write(negotiation::make_sample(message, loop_.clock().wall()));
    }
    /// Returns the number of bytes that wait then.
    std::size_t end_turn() {
        loop_.advance(10ms);
        return outbox.topic_bytes();
    }

    link::FrameOutbox outbox;

private:
    struct FarSender final : negotiation::SessionSender {
        explicit FarSender(StuckLine& its_owner) : owner(its_owner) {}
        bool send(Kind, ByteView message) override {
            owner.loop_.post([this, bytes = Bytes(message.begin(), message.end())] {
                EXPECT_TRUE(owner.line_.take({.last = true, .bytes = bytes}));
            });
            return true;
        }
        StuckLine& owner;
    };

    VirtualLoop loop_;
    negotiation::SessionTransport here_{loop_};
    negotiation::SessionTransport far_{loop_};
    FarSender far_sender_{*this};
    TopicLine line_{loop_, here_, "far", outbox, {.flush = [] {}, .fail = [](const std::string&) {}}};
    std::unique_ptr<negotiation::TopicSession> far_session_;
};

TEST(TopicLine, SendsAnImageOnlyIfNothingElseWaits) {
    StuckLine line;
    const auto camera = line.topic("/camera", camera_qos);
    line.outbox.clear();
    EXPECT_GT(line.write(*camera, 8000), 8000U);
    EXPECT_EQ(line.write(*camera, 8000), 0U) << "the first one still waits";
    line.outbox.clear();
    EXPECT_GT(line.write(*camera, 8000), 8000U) << "there is room again";
}

TEST(TopicLine, SendsAnImageBesideSamplesOfTheSameTurn) {
    StuckLine line;
    const auto camera = line.topic("/camera", camera_qos);
    const auto scan = line.topic("/scan", {.depth = 1});
    line.outbox.clear();
    line.begin_to_write(*scan, 500);
    line.begin_to_write(*camera, 8000);
    EXPECT_GT(line.end_turn(), 8500U) << "the scan did not wait for the connection";
    EXPECT_EQ(line.write(*camera, 8000), 0U) << "now both wait";
}

TEST(TopicLine, SendsOtherSamplesWhileAnImageWaits) {
    StuckLine line;
    const auto camera = line.topic("/camera", camera_qos);
    const auto scan = line.topic("/scan", {.depth = 1});
    line.outbox.clear();
    EXPECT_GT(line.write(*camera, 8000), 8000U);
    EXPECT_GT(line.write(*scan, 500), 500U);
    EXPECT_GT(line.write(*scan, 500), 500U);
    EXPECT_EQ(line.write(*camera, 8000), 0U);
}

TEST(TopicLine, DropsSamplesBeyondItsLimit) {
    StuckLine line;
    const auto scan = line.topic("/scan", {.depth = 1});
    while (line.outbox.topic_bytes() <= TopicLine::max_waiting) EXPECT_GT(line.write(*scan, 50'000), 0U);
    EXPECT_EQ(line.write(*scan, 500), 0U);
}

}  // namespace
}  // namespace caribou::views
