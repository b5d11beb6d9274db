#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "platform/event_loop.hpp"
#include "platform/web_socket.hpp"
#include "station/fleet_picture.hpp"

namespace caribou::tests {

/// A program that watches and commands robots through a station's interface, as the page does.
class Operator final : TextChannelEvents {
public:
    /// `at`: the station's HTTP address.
    explicit Operator(const std::string& at, const std::string& token = "");

    /// Sends a command to `rover` and returns its id.
    std::uint64_t send(const std::string& command);
    /// Returns the final answer to a command, or nullopt if there is none in time.
    std::optional<station::ToldAnswer> answer_to(std::uint64_t id, Duration limit);
    /// Waits until this is so of `rover`. Returns false if it is not in time.
    bool sees(const std::function<bool(const station::RobotPicture&)>& is, Duration limit);
    /// Lets time pass while everything that comes is taken.
    void wait(Duration time);
    /// The robot as shown last.
    station::RobotPicture rover() const;
    /// Why the connection was closed; empty: it stands.
    const std::string& closed() const { return closed_; }

private:
    /// As the page does: a program that asks for something is not taken for an idle one.
    void on_open() override { channel_->send(R"({"type": "watch", "robots": ["rover"], "views": []})"); }
    void on_text(std::string_view text) override;
    void on_closed(std::string_view why) override { closed_ = why; }

    EventLoop loop_;
    station::FleetPicture picture_;
    std::map<std::uint64_t, station::ToldAnswer> answers_;
    std::uint64_t last_id_ = 0;
    std::string closed_;
    std::unique_ptr<TextChannel> channel_;
};

}  // namespace caribou::tests
