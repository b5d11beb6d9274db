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

/// Returns a message framed for the protocol.
std::string data_frame(std::uint32_t subscription, std::uint64_t at, std::string_view message) {
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
    Client(std::uint64_t number, FoxgloveFeed& feed, std::unique_ptr<TextChannel> channel, bool with_token)
        : number_(number), feed_(feed), channel_(std::move(channel)), with_token_(with_token) {}

    void start() { channel_->attach(*this); }
    void say(std::string text) { channel_->send(std::move(text)); }
    void close(std::string_view why) { channel_->close(why); }

    bool wants(std::uint32_t channel) const {
        return std::ranges::any_of(wanted_, [&](const auto& each) { return each.second == channel; });
    }
    const std::map<std::uint32_t, std::uint32_t>& wanted() const { return wanted_; }
    void tell(std::uint32_t channel, std::uint64_t at, std::string_view message) {
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
            else if (feed_.channels_[channel].topic == Topic::camera && !with_token_)
                complain("viewing the camera needs a token: add ?token=TOKEN to the address");
            else if (wanted_.size() >= FoxgloveLimits::subscriptions)
                complain(fmt::format("limit of {} subscriptions reached", wanted_.size()));
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
    const bool with_token_;
    std::map<std::uint32_t, std::uint32_t> wanted_;  ///< channels by subscription
};

FoxgloveFeed::FoxgloveFeed(Loop& loop, Station& station, std::string name, Task on_wants)
    : loop_(loop),
      station_(station),
      name_(std::move(name)),
      on_wants_(std::move(on_wants)),
      topics_(station, *this) {
    station_.add_listener(*this);
}

FoxgloveFeed::~FoxgloveFeed() { station_.remove_listener(*this); }

void FoxgloveFeed::open(std::unique_ptr<TextChannel> channel, bool with_token) {
    for (const std::string& robot : station_.fleet().sessions() | std::views::keys) advertise(robot);
    const std::uint64_t number = next_client_++;
    const auto client = std::make_shared<Client>(number, *this, std::move(channel), with_token);
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
            for (const views::View view : views::all_views)
                if (depends_on(channels_[channel].topic, view)) to[channels_[channel].robot].insert(view);
}

void FoxgloveFeed::advertise(const std::string& robot) {
    const std::size_t first = channels_.size();
    if (!first_channel_.try_emplace(robot, first).second) return;
    for (std::size_t i = 0; i < live_topic_count; ++i) channels_.push_back({robot, static_cast<Topic>(i)});
    for (const auto& client : clients_ | std::views::values) client->say(advertisement(first));
}

std::string FoxgloveFeed::advertisement(std::size_t from) const {
    std::string list;
    for (std::size_t id = from; id < channels_.size(); ++id) {
        const auto& [robot, topic] = channels_[id];
        list += fmt::format(
            R"({}{{"id":{},"topic":{},"encoding":"json","schemaName":"{}","schema":{},"schemaEncoding":"jsonschema"}})",
            list.empty() ? "" : ",", id, json_quoted(fmt::format("/{}/{}", robot, to_string(topic))),
            schema_name(topic), json_quoted(schema_text(topic)));
    }
    return fmt::format(R"({{"op":"advertise","channels":[{}]}})", list);
}

std::uint64_t FoxgloveFeed::now() const {
    return static_cast<std::uint64_t>(loop_.clock().wall().time_since_epoch().count());
}

std::optional<std::uint32_t> FoxgloveFeed::channel_of(const std::string& robot, Topic topic) const {
    const auto known = first_channel_.find(robot);
    const auto index = static_cast<std::size_t>(topic);
    if (known == first_channel_.end() || index >= live_topic_count) return std::nullopt;
    return static_cast<std::uint32_t>(known->second + index);
}

bool FoxgloveFeed::wants(const std::string& robot, Topic topic) const {
    const auto channel = clients_.empty() ? std::nullopt : channel_of(robot, topic);
    return channel && std::ranges::any_of(clients_ | std::views::values,
                                          [&](const auto& client) { return client->wants(*channel); });
}

void FoxgloveFeed::on_message(const std::string& robot, Topic topic, std::string_view json) {
    if (const auto channel = channel_of(robot, topic))
        for (const auto& client : clients_ | std::views::values) client->tell(*channel, now(), json);
}

void FoxgloveFeed::tell_known(Client& client, std::uint32_t channel) {
    const auto& [robot, topic] = channels_[channel];
    RobotSession* const session = station_.fleet().find(robot);
    if (!session) return;
    if (const std::string message = topics_.latest(*session, topic); !message.empty())
        client.tell(channel, now(), message);
}

}  // namespace caribou::station
