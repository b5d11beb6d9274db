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

/// The fleet for programs that speak the Foxglove WebSocket protocol. They only look.
class FoxgloveFeed final : SessionEvents {
public:
    /// By which it is asked for.
    static constexpr std::string_view protocol = "foxglove.websocket.v1";

    /// `on_wants`: add_wants() has others to add than before.
    FoxgloveFeed(Loop& loop, Station& station, std::string name, Task on_wants);
    ~FoxgloveFeed();
    FoxgloveFeed(const FoxgloveFeed&) = delete;
    FoxgloveFeed& operator=(const FoxgloveFeed&) = delete;

    bool is_full() const { return clients_.size() >= FoxgloveLimits::clients; }
    void open(std::unique_ptr<TextChannel> channel);
    std::size_t clients() const { return clients_.size(); }
    void close_all(std::string_view why);
    /// The views that its clients look at.
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

    /// Tells everybody of a robot that is new here.
    void advertise(const std::string& robot);
    std::string advertisement(std::size_t from) const;
    std::string message_of(RobotSession& session, FoxgloveTopic topic);
    /// What is known of it already, from a view. Empty: nothing.
    std::string view_message(RobotSession& session, FoxgloveTopic topic);
    void tell_known(Client& client, std::uint32_t channel);
    template <class Make>
    void tell(const std::string& robot, FoxgloveTopic topic, Make make);
    FoxgloveTime now() const;

    Loop& loop_;
    Station& station_;
    std::string name_;
    Task on_wants_;
    std::vector<Channel> channels_;                                  ///< by their ids
    std::map<std::string, std::size_t, std::less<>> first_channel_;  ///< of a robot
    std::map<std::uint64_t, std::shared_ptr<Client>> clients_;
    std::uint64_t next_client_ = 1;
};

}  // namespace caribou::station
