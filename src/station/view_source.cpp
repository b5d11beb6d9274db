#include "station/view_source.hpp"

#include <utility>

#include "base/json_node.hpp"
#include "base/json_text.hpp"
#include "msg/std_msgs/string.hpp"

namespace caribou::station {
namespace {

constexpr negotiation::TopicQos latest_qos{.durability = negotiation::Durability::transient_local,
                                           .depth = 1};
constexpr JsonLimits json_limits{.bytes = 1_MiB, .depth = 16, .values = 50'000};

template <class Content>
Result<Content> decoded(ByteView bytes) {
    if constexpr (std::is_same_v<Content, wire::Scan>)
        return wire::decode_scan(bytes);
    else if constexpr (std::is_same_v<Content, wire::CameraImage>)
        return wire::decode_camera_image(bytes);
    else
        return wire::decode_grid(bytes);
}

}  // namespace

void DataRate::add(Instant now, std::size_t bytes) {
    if (since_ == Instant{}) {  // the first message begins the measurement and is not part of it
        since_ = now;
        return;
    }
    bytes_ += static_cast<double>(bytes);
    messages_ += 1;
    if (const double seconds = to_seconds(now - since_); seconds >= 2) {
        bytes_per_second_ = std::exchange(bytes_, 0) / seconds;
        messages_per_second_ = std::exchange(messages_, 0) / seconds;
        since_ = now;
    }
}

template <class Content>
EncodedSource<Content>::EncodedSource(SourcePlace place, const Weights& weights)
    : place_(std::move(place)), subscription_(place_.loop, place_.transport, place_.topic) {
    if constexpr (std::is_same_v<Content, wire::Scan>) {
        add<views::FullScan>(weights);
        add<views::QuantisedScan>(weights);
        add<views::DeltaScan>(weights);
    } else if constexpr (std::is_same_v<Content, wire::CameraImage>) {
        add<views::FullCamera>(weights);
        add<views::HalfCamera>(weights);
        add<views::GrayCamera>(weights);
    } else {
        add<views::RawGrid>(weights);
        add<views::RunLengthGrid>(weights);
        add<views::CompressedGrid>(weights);
    }
    std::ignore = subscription_.start();
}

template <class Content>
template <class Encoding>
void EncodedSource<Content>::add(const Weights& weights) {
    const auto weight = weights.find(Encoding::supported_type_name);
    if (weight == weights.end()) return;
    constexpr bool is_camera = std::is_same_v<Content, wire::CameraImage>;
    std::ignore = subscription_.add_supported_callback<Encoding>(
        weight->second, is_camera ? views::camera_qos : latest_qos,
        [this](const views::BytesMessage& message) {
            take(Encoding::supported_type_name, views::bytes_in(message));
        });
}

template <class Content>
void EncodedSource<Content>::take(const std::string& encoding, ByteView bytes) {
    auto content = decoded<Content>(bytes);
    if (!content) return;
    rate_.add(place_.loop.clock().now(), bytes.size());
    latest_ = {std::move(*content), encoding, rate_.bytes_per_second(), rate_.messages_per_second()};
    place_.on_change();
}

template class EncodedSource<wire::Scan>;
template class EncodedSource<wire::Grid>;
template class EncodedSource<wire::CameraImage>;

TextSource::TextSource(SourcePlace place) : place_(std::move(place)) {
    if (auto reader = place_.transport.subscribe({place_.topic, "std_msgs/msg/String"}, latest_qos, *this))
        reader_ = std::move(*reader);
}

void TextSource::on_sample(const negotiation::Peer&, const negotiation::Sample& sample) {
    const auto message = negotiation::object_of<msg::std_msgs::String>(sample);
    if (!message) return;
    // Formatted again, so that the output is valid JSON whatever a robot sends.
    const auto node = read_json((*message)->data, json_limits);
    if (!node || !node->is(JsonNode::Kind::object)) return;
    const double at = to_seconds(sample.stamp().time_since_epoch());
    latest_ = {json_of(*node), at};
    place_.on_change();
}

}  // namespace caribou::station
