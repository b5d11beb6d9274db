#pragma once

// Private to station: one view of a robot, read from its topic as long as the object lives.

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "loop/loop.hpp"
#include "negotiation/negotiated_subscription.hpp"
#include "views/encodings.hpp"

namespace caribou::station {

/// A scan or a map as it came.
template <class Content>
struct Encoded {
    Content content{};
    std::string encoding{};  ///< that was negotiated
    double bytes_per_second = 0;
};
/// JSON that a robot has published: an object, and nothing that is none.
struct ShownText {
    std::string json{};
    double at = 0;  ///< UNIX seconds by the robot's clock
};

/// How much each encoding is liked. What is not listed is not taken.
using Weights = std::map<std::string, double, std::less<>>;

/// Where a view is read. Loop and transport outlive it.
struct SourcePlace {
    Loop& loop;
    negotiation::Transport& transport;
    std::string topic;
    std::function<void()> on_change;
};

/// Bytes a second, over the last few.
class ByteRate {
public:
    double add(Instant now, std::size_t bytes);

private:
    Instant since_{};
    double bytes_ = 0;
    double rate_ = 0;
};

/// A scan or a map, in one of the encodings.
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
    ByteRate rate_;
    negotiation::NegotiatedSubscription subscription_;
};

/// JSON.
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
