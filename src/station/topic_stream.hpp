#pragma once

#include <map>
#include <string>
#include <string_view>

#include "data/foxglove_scene_update.hpp"
#include "station/station.hpp"
#include "station/topic.hpp"

namespace caribou::station {

/// Receives the messages of robots' topics.
class TopicEvents {
public:
    virtual ~TopicEvents() = default;
    /// Returns whether messages of that topic are needed. Others are not generated.
    virtual bool wants(const std::string& robot, Topic topic) const = 0;
    virtual void on_message(const std::string& robot, Topic topic, std::string_view json) = 0;
};

/// Generates the messages of all robots' topics when their data changes, for one receiver.
class TopicStream final : SessionEvents {
public:
    /// Both must outlive this object, and `events` must expect calls until then.
    TopicStream(Station& station, TopicEvents& events);
    ~TopicStream();
    TopicStream(const TopicStream&) = delete;
    TopicStream& operator=(const TopicStream&) = delete;

    /// Returns the latest message of a topic; empty if there is none, as of topics that are events.
    std::string latest(RobotSession& session, Topic topic) const;
    /// Sends the latest message of every topic.
    void send_all();

private:
    void on_status(RobotSession& session) override;
    void on_telemetry(RobotSession& session) override;
    void on_view(RobotSession& session, views::View view) override;
    void on_report(RobotSession& session, std::string_view text) override;
    void on_command(RobotSession& session, const link::Command& command, const Asker& asker) override;
    void on_answer(RobotSession& session, const link::Answer& answer) override;

    /// What was sent of a robot last.
    struct Sent {
        std::string status{};
        std::string route{};
        std::string scene{};  ///< without its times
        std::optional<Pose> pose{};
        std::optional<Pose> odom{};
        std::optional<Instant> pose_at{};
        std::optional<Instant> motion_at{};
    };

    void send(RobotSession& session, Topic topic);
    /// Sends the latest message if it differs from `before`. Returns whether it does.
    bool send_changed(RobotSession& session, Topic topic, std::string& before);
    void send_motion(RobotSession& session);
    void send_scene(RobotSession& session);
    data::FoxgloveSceneUpdate scene(RobotSession& session) const;

    Station& station_;
    TopicEvents& events_;
    std::map<std::string, Sent, std::less<>> sent_;
};

}  // namespace caribou::station
