#include "negotiation/ros_bridge.hpp"

#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "negotiation/message_setting.hpp"
#include "wire/cdr.hpp"

namespace caribou::negotiation {
namespace {

/// Prefix of the aux text of values that came from ROS.
constexpr std::string_view from_ros_mark = "ros:";

Result<void> set_from_mail(const BridgeField& field, msg::MessageValue& into, const wire::MessageView& mail) {
    if (mail.is_number()) return set_number(field.place, into, field.unit.to_ros(mail.value));
    if (mail.is_binary()) return set_bytes(field.place, into, bytes_of(mail.payload));
    return set_text(field.place, into, mail.payload);
}

/// Returns whether the bytes begin as a message of ROS 2: with the header of CDR, in either byte order.
bool is_message(ByteView bytes) {
    return bytes.size() > wire::cdr_header_size && bytes[0] == std::byte{0} && bytes[1] <= std::byte{1} &&
           bytes[2] == std::byte{0} && bytes[3] == std::byte{0};
}

/// Returns the place of `header.stamp`, or nullopt if the message has no header.
std::optional<msg::FieldPlace> stamp_place(const msg::MessageSchema& schema) {
    auto place = msg::find_field(schema, "header.stamp");
    return place ? std::optional(std::move(*place)) : std::nullopt;
}

}  // namespace

/// A topic that the bridge publishes.
class RosBridge::Outgoing final : public WriterEvents {
public:
    Outgoing(RosBridge& bridge, const BridgeRoute& route)
        : bridge_(bridge),
          route_(route),
          message_(route.frame),
          known_(route.fields.size(), false),
          stamp_(route.schema != nullptr ? stamp_place(*route.schema) : std::nullopt),
          timer_(bridge.loop_.make_timer([this] { send(); })) {}

    Result<void> start() {
        auto writer = bridge_.transport_.advertise(route_.topic, route_.qos, *this);
        if (!writer) return fail(std::move(writer.error()));
        writer_ = std::move(*writer);
        if (!route_.whole.empty()) return bridge_.client_.register_variable(route_.whole);
        for (const BridgeField& field : route_.fields)
            if (auto asked = bridge_.client_.register_variable(field.variable); !asked) return asked;
        return {};
    }

    void on_mail(const wire::MessageView& mail) {
        if (mail.key == route_.whole) return on_whole(mail);
        for (std::size_t i = 0; i < route_.fields.size(); ++i) {
            const BridgeField& field = route_.fields[i];
            if (field.variable != mail.key) continue;
            msg::MessageValue& into = *msg::reach(*route_.schema, message_, field.place);
            if (const auto set = set_from_mail(field, into, mail); !set) {
                bridge_.refuse(has_complained_, route_.topic,
                               fmt::format("{}: {}", mail.key, set.error().message));
                continue;
            }
            known_[i] = true;
            is_new_ = true;
            newest_ = std::max(newest_, mail.time);
        }
        if (is_new_ && std::ranges::find(known_, false) == known_.end()) timer_->arm(next_);
    }

private:
    void on_whole(const wire::MessageView& mail) {
        const ByteView bytes = bytes_of(mail.payload);
        if (!mail.is_binary() || !is_message(bytes))
            return bridge_.refuse(has_complained_, route_.topic,
                                  fmt::format("{} is not the bytes of a message", mail.key));
        whole_ = std::make_shared<const Bytes>(bytes.begin(), bytes.end());
        newest_ = mail.time;
        if (route_.period == Duration::zero()) return send();
        timer_->arm(next_);
    }

    void send() {
        const Instant now = bridge_.loop_.clock().now();
        is_new_ = false;
        next_ = now + route_.period;
        const WallTime stamp(from_seconds(newest_));
        if (whole_) return write(std::exchange(whole_, {}), stamp);
        if (stamp_) {
            const double seconds = std::floor(newest_);
            auto& parts = msg::reach(*route_.schema, message_, *stamp_)->list();
            parts[0].held = static_cast<std::int64_t>(seconds);
            parts[1].held = static_cast<std::uint64_t>((newest_ - seconds) * 1e9);
        }
        write(std::make_shared<const Bytes>(msg::encode_value(*route_.schema, message_)), stamp);
    }

    void write(std::shared_ptr<const Bytes> bytes, WallTime stamp) {
        if (const auto written = writer_->write(Sample(std::move(bytes), stamp)); !written)
            return bridge_.refuse(has_complained_, route_.topic, written.error().message);
        ++bridge_.stats_.to_ros;
    }

    RosBridge& bridge_;
    const BridgeRoute route_;
    msg::MessageValue message_;
    std::shared_ptr<const Bytes> whole_;  ///< not sent yet; null if fields are mapped
    std::vector<bool> known_;             ///< which fields have received a value
    std::optional<msg::FieldPlace> stamp_;
    std::unique_ptr<Timer> timer_;
    std::unique_ptr<Writer> writer_;
    Instant next_{};  ///< earliest time of the next message
    double newest_ = 0;
    bool is_new_ = false;
    bool has_complained_ = false;
};

/// A topic that the bridge subscribes to.
class RosBridge::Incoming final : public ReaderEvents {
public:
    Incoming(RosBridge& bridge, const BridgeRoute& route)
        : bridge_(bridge), route_(route), mark_(std::string(from_ros_mark) + route.topic.name) {}

    Result<void> start() {
        auto reader = bridge_.transport_.subscribe(route_.topic, route_.qos, *this);
        if (!reader) return fail(std::move(reader.error()));
        reader_ = std::move(*reader);
        return {};
    }

    void on_sample(const Peer& writer, const Sample& sample) override {
        if (bridge_.is_own_(writer.id)) {
            ++bridge_.stats_.own;
            return;
        }
        if (!route_.whole.empty()) {
            ++bridge_.stats_.from_ros;
            const BridgeField whole{.path = {}, .place = {}, .variable = route_.whole};
            return notify(whole, sample.bytes(), to_unix_seconds(sample.stamp()));
        }
        const auto message = msg::decode_value(*route_.schema, sample.bytes());
        if (!message)
            return bridge_.refuse(has_complained_, route_.topic,
                                  fmt::format("from {}: {}", writer.name, message.error().message));
        if (const std::string field = route_.passes_not_finite ? "" : not_finite_in(*message); !field.empty())
            return bridge_.refuse(has_complained_, route_.topic,
                                  fmt::format("from {}: {} is not finite", writer.name, field));
        ++bridge_.stats_.from_ros;
        for (const BridgeField& field : route_.fields)
            if (const msg::MessageValue* value = msg::at(*message, field.place)) {
                const auto on_bus = bus_value(field.place, *value);
                if (on_bus)
                    notify(field, *on_bus, to_unix_seconds(sample.stamp()));
                else
                    bridge_.refuse(has_complained_, route_.topic, on_bus.error().message);
            }
    }

private:
    /// Returns the path of the first mapped number that is not finite; empty if there is none.
    std::string not_finite_in(const msg::MessageValue& message) const {
        for (const BridgeField& field : route_.fields)
            if (const msg::MessageValue* value = msg::at(message, field.place)) {
                const auto on_bus = bus_value(field.place, *value);
                const auto* const number = on_bus ? std::get_if<double>(&*on_bus) : nullptr;
                if (number && !std::isfinite(*number)) return field.path;
            }
        return {};
    }
    void notify(const BridgeField& field, const BusValue& value, double time) {
        const bus::NotifyOptions with{.aux = mark_, .time = time};
        Result<Pushed> pushed;
        if (const auto* number = std::get_if<double>(&value))
            pushed = bridge_.client_.notify(field.variable, field.unit.from_ros(*number), with);
        else if (const auto* text = std::get_if<std::string>(&value))
            pushed = bridge_.client_.notify(field.variable, *text, with);
        else
            pushed = bridge_.client_.notify(field.variable, ByteView(std::get<Bytes>(value)), with);
        if (!pushed) bridge_.refuse(has_complained_, route_.topic, pushed.error().message);
    }

    RosBridge& bridge_;
    const BridgeRoute route_;
    std::string mark_;
    std::unique_ptr<Reader> reader_;
    bool has_complained_ = false;
};

RosBridge::RosBridge(Loop& loop, Network& network, Transport& transport, const BridgePlan& plan,
                     std::function<bool(const PeerId&)> is_own, Log& log)
    : loop_(loop),
      types_(plan.types),
      is_own_(std::move(is_own)),
      log_(log),
      client_(loop, network,
              {.name = plan.client,
               .broker = plan.broker,
               .outbox = {.when_full = WhenFull::drop_oldest},
               .on_loss = bus::OnLoss::drop}),
      transport_(transport) {
    for (const BridgeRoute& route : plan.routes) {
        if (route.way == BridgeWay::to_ros)
            outgoing_.push_back(std::make_unique<Outgoing>(*this, route));
        else
            incoming_.push_back(std::make_unique<Incoming>(*this, route));
    }
    client_.on_other_mail([this](const wire::MessageView& message) { on_mail(message); });
    client_.on_connected(
        [this, broker = to_string(plan.broker)] { log_.info("connected to the bus at " + broker); });
    client_.on_disconnected([this](const Error& why) { log_.warning("lost the bus: " + why.message); });
}

RosBridge::~RosBridge() = default;

Result<void> RosBridge::start() {
    for (auto& route : outgoing_)
        if (auto started = route->start(); !started) return started;
    for (auto& route : incoming_)
        if (auto started = route->start(); !started) return started;
    return client_.start();
}

void RosBridge::finish(Duration limit) { client_.finish(limit); }
bool RosBridge::stopped() const { return client_.state() == bus::ClientState::stopped; }

void RosBridge::on_mail(const wire::MessageView& message) {
    if (message.aux.starts_with(from_ros_mark)) {
        ++stats_.own;
        return;
    }
    for (auto& route : outgoing_) route->on_mail(message);
}

void RosBridge::refuse(bool& said, const Topic& topic, const std::string& why) {
    ++stats_.refused;
    if (!said) log_.warning(fmt::format("{}: {}; more of the kind is only counted", topic.name, why));
    said = true;
}

}  // namespace caribou::negotiation
