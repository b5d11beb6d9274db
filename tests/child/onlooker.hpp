#pragma once

#include <functional>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "child/program.hpp"
#include "platform/event_loop.hpp"
#include "platform/web_socket.hpp"
#include "station/fleet_picture.hpp"

namespace caribou::tests {

/// A client of the interface of a station, or of a robot's own.
class Onlooker final : TextChannelEvents {
public:
    explicit Onlooker(const std::string& at)
        : channel_(dial_web_socket(loop_, {.at = Address::parse(at).value(), .target = "/api/v1/stream"},
                                   *this)) {}

    /// Returns whether the robot is shown in that state within the limit.
    bool sees(const std::string& robot, const std::function<bool(const station::RobotPicture&)>& is) {
        return loop_.run_until(
            [&] {
                const auto found = picture_.robots().find(robot);
                return found != picture_.robots().end() && is(found->second);
            },
            limit);
    }

private:
    void on_text(std::string_view text) override { EXPECT_TRUE(picture_.take(text)); }
    void on_closed(std::string_view why) override { ADD_FAILURE() << why; }

    EventLoop loop_;
    station::FleetPicture picture_;
    std::unique_ptr<TextChannel> channel_;
};

}  // namespace caribou::tests
