#include "robot/view_show.hpp"

#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "msg/std_msgs/string.hpp"
#include "negotiation/negotiated_publisher.hpp"
#include "negotiation/report.hpp"
#include "robot/ros_encodings.hpp"
#include "views/encodings.hpp"

namespace caribou::robot {
namespace {

/// Late joiners receive the last one at once.
constexpr negotiation::TopicQos latest{.durability = negotiation::Durability::transient_local, .depth = 1};

class TextShow final : public ViewShow, negotiation::WriterEvents {
public:
    explicit TextShow(ShowPlace place) : place_(std::move(place)) {}

    Result<void> start() override {
        auto writer = place_.transport.advertise({place_.topic, "std_msgs/msg/String"}, latest, *this);
        if (!writer) return fail(std::move(writer.error()));
        writer_ = std::move(*writer);
        return {};
    }
    bool wanted() const override { return !readers_.empty(); }
    void take(const ViewPicture& picture) override {
        const auto* const text = std::get_if<std::string>(&picture);
        if (!text || *text == last_) return;
        auto message = std::make_shared<msg::std_msgs::String>();
        message->data = *text;
        const auto sample = negotiation::make_sample(
            std::shared_ptr<const msg::std_msgs::String>(std::move(message)), place_.loop.clock().wall());
        if (writer_->write(sample)) last_ = *text;
    }

private:
    void on_reader_joined(const negotiation::Peer& reader) override {
        readers_.insert(reader.id);
        place_.on_reader();
    }
    void on_reader_gone(const negotiation::Peer& reader) override { readers_.erase(reader.id); }

    ShowPlace place_;
    std::unique_ptr<negotiation::Writer> writer_;
    std::set<negotiation::PeerId> readers_;
    std::string last_;
};

/// The share of bytes saved relative to sending everything in the plain encoding.
class Saving {
public:
    void add(Instant now, std::size_t sent, std::size_t plain) {
        if (since_ == Instant{}) since_ = now;
        saved_ += static_cast<double>(plain) - static_cast<double>(sent);
        const double seconds = to_seconds(now - since_);
        if (seconds < 2) return;
        per_second_ = std::exchange(saved_, 0) / seconds;
        since_ = now;
    }
    double per_second() const { return per_second_; }

private:
    Instant since_{};
    double saved_ = 0;
    double per_second_ = 0;
};

const wire::Scan& content_of(const ScanPicture& picture) { return picture.scan; }
const wire::Grid& content_of(const MapPicture& picture) { return picture.grid; }
bool is_same(const ScanPicture& one, const ScanPicture& other) { return one.of == other.of; }
bool is_same(const MapPicture& one, const MapPicture& other) { return one.version == other.version; }
Bytes encoded(const wire::Scan& scan, wire::ScanEncoding how) { return wire::encode_scan(scan, how); }
Bytes encoded(const wire::Grid& grid, wire::GridEncoding how) { return wire::encode_grid(grid, how); }

/// `Ros` is an ordinary message of ROS 2. The first encoding is the plain one; each is smaller than the
/// previous one, and preferred.
template <class Picture, class Ros, class Plain, class... Others>
class EncodedShow final : public ViewShow {
public:
    explicit EncodedShow(ShowPlace place)
        : place_(std::move(place)), publisher_(place_.loop, place_.transport, place_.topic, options()) {}

    Result<void> start() override {
        double weight = 0;
        Result<void> added = publisher_.template add_supported_type<Ros>(weight, latest);
        if (added) added = publisher_.template add_supported_type<Plain>(++weight, latest);
        ((added = added ? publisher_.template add_supported_type<Others>(++weight, latest) : added), ...);
        return added ? publisher_.start() : added;
    }
    bool wanted() const override {
        return publisher_.template type_was_negotiated<Ros>() ||
               publisher_.template type_was_negotiated<Plain>() ||
               (publisher_.template type_was_negotiated<Others>() || ...);
    }
    void take(const ViewPicture& picture) override {
        const auto* const shown = std::get_if<Picture>(&picture);
        if (!shown || (last_ && is_same(*last_, *shown))) return;
        const bool is_sent = publish_ros(*shown);
        const std::size_t sent = (publish<Plain>(*shown) + ... + publish<Others>(*shown));
        if (!is_sent && sent == 0) return;
        last_ = *shown;
        if (sent > 0)
            saving_.add(place_.loop.clock().now(), sent, encoded(content_of(*shown), Plain::encoding).size());
    }
    std::optional<data::RobotTopic> report() const override {
        return data::RobotTopic{publisher_.report(), saving_.per_second()};
    }

private:
    negotiation::PublisherOptions options() {
        negotiation::PublisherOptions options;
        options.on_success = [this](const auto&) {
            last_.reset();  // late joiners receive it, too, and it may not change any more
            place_.on_reader();
        };
        return options;
    }
    bool publish_ros(const Picture& picture) {
        return publisher_.template type_was_negotiated<Ros>() &&
               publisher_.template publish<Ros>(Ros::of(picture, place_.frames));
    }
    /// Returns the bytes sent.
    template <class Encoding>
    std::size_t publish(const Picture& picture) {
        if (!publisher_.template type_was_negotiated<Encoding>()) return 0;
        const Bytes bytes = encoded(content_of(picture), Encoding::encoding);
        return publisher_.template publish<Encoding>(views::message_of(bytes)) ? bytes.size() : 0;
    }

    ShowPlace place_;
    negotiation::NegotiatedPublisher publisher_;
    std::optional<Picture> last_;
    Saving saving_;
};

class CameraShow final : public ViewShow {
public:
    explicit CameraShow(ShowPlace place)
        : place_(std::move(place)), publisher_(place_.loop, place_.transport, place_.topic, options()) {}

    Result<void> start() override {
        auto added = publisher_.add_supported_type<RosCamera>(0, views::camera_qos);
        if (added) added = publisher_.add_supported_type<views::FullCamera>(1, views::camera_qos);
        if (added) added = publisher_.add_supported_type<views::HalfCamera>(1, views::camera_qos);
        if (added) added = publisher_.add_supported_type<views::GrayCamera>(1, views::camera_qos);
        return added ? publisher_.start() : added;
    }
    bool wanted() const override { return !camera().empty(); }
    views::CameraEncodings camera() const override {
        views::CameraEncodings wanted;
        if (publisher_.type_was_negotiated<views::FullCamera>() ||
            publisher_.type_was_negotiated<RosCamera>())
            wanted.insert(views::CameraEncoding::full);
        if (publisher_.type_was_negotiated<views::HalfCamera>()) wanted.insert(views::CameraEncoding::half);
        if (publisher_.type_was_negotiated<views::GrayCamera>()) wanted.insert(views::CameraEncoding::gray);
        return wanted;
    }
    void take(const ViewPicture& picture) override {
        const auto* const shown = std::get_if<CameraPicture>(&picture);
        if (!shown || shown->number == last_) return;
        publish_ros(*shown);
        publish<views::FullCamera>(*shown);
        publish<views::HalfCamera>(*shown);
        publish<views::GrayCamera>(*shown);
        last_ = shown->number;
    }
    std::optional<data::RobotTopic> report() const override {
        return data::RobotTopic{publisher_.report(), std::nullopt};
    }

private:
    negotiation::PublisherOptions options() {
        negotiation::PublisherOptions options;
        options.on_success = [this](const auto&) {
            last_.reset();
            place_.on_reader();
        };
        return options;
    }
    void publish_ros(const CameraPicture& picture) {
        const auto& image = picture.images.at(static_cast<std::size_t>(views::CameraEncoding::full));
        if (!image || image->jpeg.empty() || !publisher_.type_was_negotiated<RosCamera>()) return;
        std::ignore = publisher_.publish<RosCamera>(RosCamera::of(*image, place_.frames));
    }
    /// An image that does not fit onto the link is lost; the next one follows soon.
    template <class Encoding>
    void publish(const CameraPicture& picture) {
        const auto& image = picture.images.at(static_cast<std::size_t>(Encoding::encoding));
        if (!image || !publisher_.type_was_negotiated<Encoding>()) return;
        std::ignore = publisher_.publish<Encoding>(views::message_of(wire::encode_camera_image(*image)));
    }

    ShowPlace place_;
    negotiation::NegotiatedPublisher publisher_;
    std::optional<std::uint64_t> last_;
};

}  // namespace

std::unique_ptr<ViewShow> make_text_show(ShowPlace place) {
    return std::make_unique<TextShow>(std::move(place));
}

std::unique_ptr<ViewShow> make_scan_show(ShowPlace place) {
    return std::make_unique<
        EncodedShow<ScanPicture, RosScan, views::FullScan, views::QuantisedScan, views::DeltaScan>>(
        std::move(place));
}

std::unique_ptr<ViewShow> make_map_show(ShowPlace place) {
    return std::make_unique<
        EncodedShow<MapPicture, RosGrid, views::RawGrid, views::RunLengthGrid, views::CompressedGrid>>(
        std::move(place));
}

std::unique_ptr<ViewShow> make_camera_show(ShowPlace place) {
    return std::make_unique<CameraShow>(std::move(place));
}

}  // namespace caribou::robot
