#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "link/peer_clock.hpp"
#include "platform/event_loop.hpp"
#include "platform/web_socket.hpp"
#include "station/fleet_picture.hpp"

namespace caribou::tests {

/// Returns whether the robot is connected to its station and driven by it (RM3).
inline bool is_driven(const station::RobotPicture& robot) {
    return robot.status.mode == data::StationMode::run1 && robot.is_in(link::RunMode::rm3);
}

/// A program that watches and commands robots through a station's interface, like the page.
class Operator final : TextChannelEvents {
public:
    /// `at` is the station's HTTP address, `name` is how the station calls this person.
    explicit Operator(const std::string& at, const std::string& token = "",
                      const std::string& name = "operator");

    /// Measures the station's clock; later commands state when they were given. Returns false if there is no
    /// reply in time.
    bool measure_clock(Duration limit);
    /// Sends a command to `rover` and returns its id.
    std::uint64_t send(const std::string& command);
    /// Same, with a time that is `ahead` of the station's clock, which must have been measured.
    std::uint64_t send_from_future(const std::string& command, Duration ahead);
    /// Same, with a field of the request as JSON text.
    std::uint64_t send_with(const std::string& command, const std::string& field);
    /// Sends a request about the route of `rover`, such as `start`, and returns its id. `points` are those of
    /// `load`, as in a route file.
    std::uint64_t send_route(const std::string& action, const std::string& points = "");
    /// Requests that the process of `rover` is started again, and returns the id.
    std::uint64_t start_again();
    /// Returns the final answer to a command or request, or nullopt if there is none in time.
    std::optional<data::AnswerMessage> answer_to(std::uint64_t id, Duration limit);
    /// Waits until the condition is true for `rover`. Returns false if it is not in time.
    bool sees(const std::function<bool(const station::RobotPicture&)>& is, Duration limit);
    /// Returns the final answer to a command as text, such as `DONE`.
    std::string answer(const std::string& command, Duration limit);
    /// Releases the stop of `rover` as a person does: again, if the answer is that a stop may be younger. The
    /// clocks are known only up to the delay of the link. Returns the last final answer as text, such as
    /// `DONE`.
    std::string release(Duration limit);
    /// Runs the loop for some time, handling all messages.
    void wait(Duration time);
    /// Returns the station's time of day, in UNIX seconds, as last received.
    double now() const { return picture_.now(); }
    /// Returns the latest state of the robot.
    station::RobotPicture rover() const;
    /// Returns the reports received since the last call.
    std::vector<std::string> take_notices() { return picture_.take_notices(); }
    /// Returns why the connection was closed; empty if it is open.
    const std::string& closed() const { return closed_; }

private:
    /// Like the page: a connection with a request does not count as idle.
    void on_open() override { channel_->send(R"({"type": "watch", "robots": ["rover"], "views": []})"); }
    void on_text(std::string_view text) override;
    void on_closed(std::string_view why) override { closed_ = why; }

    EventLoop loop_;
    station::FleetPicture picture_;
    std::map<std::uint64_t, data::AnswerMessage> answers_;
    std::uint64_t last_id_ = 0;
    std::string closed_;
    link::PeerClock clock_;
    std::unique_ptr<TextChannel> channel_;
};

}  // namespace caribou::tests
