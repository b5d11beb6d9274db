#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "loop/text_channel.hpp"
#include "station/foxglove_request.hpp"
#include "station/topic_stream.hpp"

namespace caribou::station {

/// The fleet for clients of the Foxglove WebSocket protocol. Read-only.
class FoxgloveFeed final : SessionEvents, TopicEvents {
public:
    /// Name of the WebSocket subprotocol.
    static constexpr std::string_view protocol = "foxglove.websocket.v1";

    /// `on_wants` is called when the result of add_wants() has changed.
    FoxgloveFeed(Loop& loop, Station& station, std::string name, Task on_wants);
    ~FoxgloveFeed();
    FoxgloveFeed(const FoxgloveFeed&) = delete;
    FoxgloveFeed& operator=(const FoxgloveFeed&) = delete;

    bool is_full() const { return clients_.size() >= FoxgloveLimits::clients; }
    /// Only a client with a token may subscribe to cameras.
    void open(std::unique_ptr<TextChannel> channel, bool with_token);
    std::size_t clients() const { return clients_.size(); }
    void close_all(std::string_view why);
    /// Adds the views that its clients have subscribed to.
    void add_wants(Station::Wants& to) const;

private:
    class Client;
    /// One topic of one robot.
    struct Channel {
        std::string robot;
        Topic topic;
    };

    void on_status(RobotSession& session) override { advertise(session.name()); }
    void on_telemetry(RobotSession&) override {}
    void on_report(RobotSession&, std::string_view) override {}
    void on_command(RobotSession&, const link::Command&, const Asker&) override {}
    void on_answer(RobotSession&, const link::Answer&) override {}
    bool wants(const std::string& robot, Topic topic) const override;
    void on_message(const std::string& robot, Topic topic, std::string_view json) override;

    /// Advertises the channels of a new robot to all clients.
    void advertise(const std::string& robot);
    std::string advertisement(std::size_t from) const;
    std::optional<std::uint32_t> channel_of(const std::string& robot, Topic topic) const;
    /// Sends the latest message of a channel.
    void tell_known(Client& client, std::uint32_t channel);
    /// Returns UNIX time in ns.
    std::uint64_t now() const;

    Loop& loop_;
    Station& station_;
    std::string name_;
    Task on_wants_;
    std::vector<Channel> channels_;                                  ///< indexed by id
    std::map<std::string, std::size_t, std::less<>> first_channel_;  ///< first channel of each robot
    std::map<std::uint64_t, std::shared_ptr<Client>> clients_;
    std::uint64_t next_client_ = 1;
    TopicStream topics_;
};

}  // namespace caribou::station
