#include "station/foxglove_feed.hpp"

#include <algorithm>
#include <ranges>
#include <utility>

#include <fmt/format.h>

#include "base/json_text.hpp"

namespace caribou::station {
namespace {

template <class Number>
void append_little_endian(std::string& to, Number number) {
    for (std::size_t i = 0; i < sizeof(Number); ++i) to += static_cast<char>((number >> (8 * i)) & 0xff);
}

/// Returns the view that a topic is generated from; nullopt for telemetry.
std::optional<views::View> view_behind(FoxgloveTopic topic) {
    if (topic == FoxgloveTopic::scan) return views::View::scan;
    if (topic == FoxgloveTopic::map) return views::View::map;
    return std::nullopt;
}

/// Returns a message framed for the protocol.
std::string data_frame(std::uint32_t subscription, FoxgloveTime at, std::string_view message) {
    constexpr char message_data = 1;
    std::string frame(1, message_data);
    append_little_endian(frame, subscription);
    append_little_endian(frame, at);
    frame += message;
    return frame;
}

}  // namespace

/// A connected client.
class FoxgloveFeed::Client final : public TextChannelEvents {
public:
    Client(std::uint64_t number, FoxgloveFeed& feed, std::unique_ptr<TextChannel> channel)
        : number_(number), feed_(feed), channel_(std::move(channel)) {}

    void start() { channel_->attach(*this); }
    void say(std::string text) { channel_->send(std::move(text)); }
    void close(std::string_view why) { channel_->close(why); }

    bool wants(std::uint32_t channel) const {
        return std::ranges::any_of(wanted_, [&](const auto& each) { return each.second == channel; });
    }
    const std::map<std::uint32_t, std::uint32_t>& wanted() const { return wanted_; }
    void tell(std::uint32_t channel, FoxgloveTime at, std::string_view message) {
        for (const auto& [subscription, wanted] : wanted_)
            // A client that does not read misses messages until it does.
            if (wanted == channel && channel_->waiting() <= FoxgloveLimits::waiting)
                channel_->send_bytes(data_frame(subscription, at, message));
    }

private:
    void on_text(std::string_view text) override {
        const auto request = read_foxglove_request(text);
        if (!request) return complain(request.error().message);
        for (const std::uint32_t id : request->unsubscribe) wanted_.erase(id);
        for (const auto& [id, channel] : request->subscribe) {
            if (channel >= feed_.channels_.size())
                complain(fmt::format("there is no channel {}", channel));
            else if (wanted_.size() >= FoxgloveLimits::subscriptions)
                complain(fmt::format("{} subscriptions are enough", wanted_.size()));
            else
                wanted_[id] = channel;
        }
        feed_.on_wants_();
        for (const auto& [id, channel] : request->subscribe)
            if (wanted_.contains(id)) feed_.tell_known(*this, wanted_[id]);
    }
    void complain(std::string_view what) {
        constexpr int error = 2;
        say(fmt::format(R"({{"op":"status","level":{},"message":{}}})", error, json_quoted(what)));
    }
    void on_closed(std::string_view) override {
        // The client is in the middle of a call and owns the channel that makes it.
        feed_.loop_.post([gone = feed_.clients_.extract(number_)] {});
        feed_.on_wants_();
    }

    std::uint64_t number_;
    FoxgloveFeed& feed_;
    std::unique_ptr<TextChannel> channel_;
    std::map<std::uint32_t, std::uint32_t> wanted_;  ///< channels by subscription
};

FoxgloveFeed::FoxgloveFeed(Loop& loop, Station& station, std::string name, Task on_wants)
    : loop_(loop), station_(station), name_(std::move(name)), on_wants_(std::move(on_wants)) {
    station_.add_listener(*this);
}

FoxgloveFeed::~FoxgloveFeed() { station_.remove_listener(*this); }

void FoxgloveFeed::open(std::unique_ptr<TextChannel> channel) {
    for (const std::string& robot : station_.fleet().sessions() | std::views::keys) advertise(robot);
    const std::uint64_t number = next_client_++;
    const auto client = std::make_shared<Client>(number, *this, std::move(channel));
    clients_.emplace(number, client);
    client->start();
    client->say(fmt::format(
        R"({{"op":"serverInfo","name":{},"capabilities":[],"supportedEncodings":["json"],"metadata":{{}}}})",
        json_quoted(name_)));
    if (!channels_.empty()) client->say(advertisement(0));
}

void FoxgloveFeed::close_all(std::string_view why) {
    for (const auto& client : clients_ | std::views::values) client->close(why);
}

void FoxgloveFeed::add_wants(Station::Wants& to) const {
    for (const auto& client : clients_ | std::views::values)
        for (const std::uint32_t channel : client->wanted() | std::views::values)
            if (const auto view = view_behind(channels_[channel].topic))
                to[channels_[channel].robot].insert(*view);
}

void FoxgloveFeed::advertise(const std::string& robot) {
    const std::size_t first = channels_.size();
    if (!first_channel_.try_emplace(robot, first).second) return;
    for (const FoxgloveTopic topic : foxglove_topics) channels_.push_back({robot, topic});
    for (const auto& client : clients_ | std::views::values) client->say(advertisement(first));
}

std::string FoxgloveFeed::advertisement(std::size_t from) const {
    std::string list;
    for (std::size_t id = from; id < channels_.size(); ++id) {
        const auto& [robot, topic] = channels_[id];
        list += fmt::format(
            R"({}{{"id":{},"topic":{},"encoding":"json","schemaName":"{}","schema":{},"schemaEncoding":"jsonschema"}})",
            list.empty() ? "" : ",", id, json_quoted(fmt::format("/{}/{}", robot, to_string(topic))),
            schema_name(topic), json_quoted(schema_of(topic)));
    }
    return fmt::format(R"({{"op":"advertise","channels":[{}]}})", list);
}

FoxgloveTime FoxgloveFeed::now() const {
    return static_cast<FoxgloveTime>(loop_.clock().wall().time_since_epoch().count());
}

template <class Make>
void FoxgloveFeed::tell(const std::string& robot, FoxgloveTopic topic, Make make) {
    const auto known = first_channel_.find(robot);
    if (known == first_channel_.end()) return;
    const auto id = static_cast<std::uint32_t>(known->second + static_cast<std::size_t>(topic));
    std::string message;
    for (const auto& client : clients_ | std::views::values) {
        if (!client->wants(id)) continue;
        if (message.empty()) message = make();
        if (!message.empty()) client->tell(id, now(), message);
    }
}

void FoxgloveFeed::on_telemetry(RobotSession& session) {
    if (clients_.empty() || session.stale() || !session.telemetry()) return;
    for (const FoxgloveTopic topic : foxglove_topics)
        tell(session.name(), topic, [&] { return message_of(session, topic); });
}

void FoxgloveFeed::on_view(RobotSession& session, views::View view) {
    for (const FoxgloveTopic topic : foxglove_topics)
        if (view_behind(topic) == view)
            tell(session.name(), topic, [&] { return view_message(session, topic); });
}

std::string FoxgloveFeed::view_message(RobotSession& session, FoxgloveTopic topic) {
    const ViewReader& views = station_.views_of(session);
    if (topic == FoxgloveTopic::scan && views.scan())
        return scan_message(views.scan()->content, session.name(), now());
    if (topic == FoxgloveTopic::map && views.map())
        return map_message(views.map()->content, session.name(), now());
    return {};
}

void FoxgloveFeed::tell_known(Client& client, std::uint32_t channel) {
    const auto& [robot, topic] = channels_[channel];
    RobotSession* const session = view_behind(topic) ? station_.fleet().find(robot) : nullptr;
    if (!session) return;
    if (const std::string message = view_message(*session, topic); !message.empty())
        client.tell(channel, now(), message);
}

std::string FoxgloveFeed::message_of(RobotSession& session, FoxgloveTopic topic) {
    const link::Telemetry& telemetry = *session.telemetry();
    switch (topic) {
        case FoxgloveTopic::telemetry:
            return fmt::format(R"({{"status":{},"motion":{}}})",
                               station_.section(session.name(), Section::status),
                               station_.section(session.name(), Section::motion));
        case FoxgloveTopic::pose: return pose_message(telemetry.pose, map_frame(session.name()), now());
        case FoxgloveTopic::transform: return transform_message(telemetry.pose, session.name(), now());
        case FoxgloveTopic::scan:
            // Until the complete scan arrives.
            return station_.views_of(session).scan()
                       ? std::string()
                       : scan_message(circle_of(telemetry.ranges), session.name(), now());
        case FoxgloveTopic::map:
        case FoxgloveTopic::log: break;
    }
    return {};
}

void FoxgloveFeed::on_report(RobotSession& session, std::string_view text) {
    tell(session.name(), FoxgloveTopic::log, [&] { return log_message(text, session.name(), now()); });
}

}  // namespace caribou::station
