#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "loop/text_channel.hpp"
#include "station/foxglove_request.hpp"
#include "station/foxglove_topic.hpp"
#include "station/station.hpp"

namespace caribou::station {

/// The fleet for clients of the Foxglove WebSocket protocol. Read-only.
class FoxgloveFeed final : SessionEvents {
public:
    /// Name of the WebSocket subprotocol.
    static constexpr std::string_view protocol = "foxglove.websocket.v1";

    /// `on_wants` is called when the result of add_wants() has changed.
    FoxgloveFeed(Loop& loop, Station& station, std::string name, Task on_wants);
    ~FoxgloveFeed();
    FoxgloveFeed(const FoxgloveFeed&) = delete;
    FoxgloveFeed& operator=(const FoxgloveFeed&) = delete;

    bool is_full() const { return clients_.size() >= FoxgloveLimits::clients; }
    void open(std::unique_ptr<TextChannel> channel);
    std::size_t clients() const { return clients_.size(); }
    void close_all(std::string_view why);
    /// Adds the views that its clients have subscribed to.
    void add_wants(Station::Wants& to) const;

private:
    class Client;
    /// One topic of one robot.
    struct Channel {
        std::string robot;
        FoxgloveTopic topic;
    };

    void on_status(RobotSession& session) override { advertise(session.name()); }
    void on_telemetry(RobotSession& session) override;
    void on_view(RobotSession& session, views::View view) override;
    void on_report(RobotSession& session, std::string_view text) override;
    void on_command(RobotSession&, const link::Command&, const Asker&) override {}
    void on_answer(RobotSession&, const link::Answer&) override {}

    /// Advertises the channels of a new robot to all clients.
    void advertise(const std::string& robot);
    std::string advertisement(std::size_t from) const;
    std::string message_of(RobotSession& session, FoxgloveTopic topic);
    /// Returns the latest message of a topic generated from a view; empty if there is none.
    std::string view_message(RobotSession& session, FoxgloveTopic topic);
    void tell_known(Client& client, std::uint32_t channel);
    template <class Make>
    void tell(const std::string& robot, FoxgloveTopic topic, Make make);
    FoxgloveTime now() const;

    Loop& loop_;
    Station& station_;
    std::string name_;
    Task on_wants_;
    std::vector<Channel> channels_;                                  ///< indexed by id
    std::map<std::string, std::size_t, std::less<>> first_channel_;  ///< first channel of each robot
    std::map<std::uint64_t, std::shared_ptr<Client>> clients_;
    std::uint64_t next_client_ = 1;
};

}  // namespace caribou::station
