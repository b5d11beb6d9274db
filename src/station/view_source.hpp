#pragma once

// One view of a robot, read from its topic during the lifetime of the object. Private to station.

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "loop/loop.hpp"
#include "negotiation/negotiated_subscription.hpp"
#include "views/encodings.hpp"
#include "wire/camera_image.hpp"

namespace caribou::station {

/// A scan, a map or an image of the camera as received.
template <class Content>
struct Encoded {
    Content content{};
    std::string encoding{};  ///< negotiated encoding
    double bytes_per_second = 0;
    double messages_per_second = 0;
};
/// A JSON object published by a robot.
struct ShownText {
    std::string json{};
    double at = 0;  ///< UNIX seconds by the robot's clock
};

/// The preference for each encoding. Encodings that are not listed are not accepted.
using Weights = std::map<std::string, double, std::less<>>;

/// The source of a view. Loop and transport must outlive it.
struct SourcePlace {
    Loop& loop;
    negotiation::Transport& transport;
    std::string topic;
    std::function<void()> on_change;
};

/// Bytes and messages per second, averaged over the last few seconds.
class DataRate {
public:
    void add(Instant now, std::size_t bytes);
    double bytes_per_second() const { return bytes_per_second_; }
    double messages_per_second() const { return messages_per_second_; }

private:
    Instant since_{};
    double bytes_ = 0;
    double messages_ = 0;
    double bytes_per_second_ = 0;
    double messages_per_second_ = 0;
};

/// A scan, a map or an image of the camera, in one of the encodings.
template <class Content>
class EncodedSource {
public:
    EncodedSource(SourcePlace place, const Weights& weights);
    const Encoded<Content>* latest() const { return latest_ ? &*latest_ : nullptr; }

private:
    template <class Encoding>
    void add(const Weights& weights);
    void take(const std::string& encoding, ByteView bytes);

    SourcePlace place_;
    std::optional<Encoded<Content>> latest_;
    DataRate rate_;
    negotiation::NegotiatedSubscription subscription_;
};

/// A view in JSON.
class TextSource final : negotiation::ReaderEvents {
public:
    explicit TextSource(SourcePlace place);
    const ShownText* latest() const { return latest_ ? &*latest_ : nullptr; }

private:
    void on_sample(const negotiation::Peer& writer, const negotiation::Sample& sample) override;

    SourcePlace place_;
    std::optional<ShownText> latest_;
    std::unique_ptr<negotiation::Reader> reader_;
};

}  // namespace caribou::station
