#pragma once

#include <optional>

#include "bus/app.hpp"
#include "marine/autopilot.hpp"

namespace caribou::marine {

/// Controls heading, speed and depth, as pMarinePID does.
class AutopilotApp final : public bus::App {
public:
    explicit AutopilotApp(bus::AppFrame& frame);

    Result<void> on_start_up() override;
    Result<void> on_connect_to_server() override;
    Result<void> on_new_mail(std::span<const wire::Message> mail) override;
    Result<void> iterate() override;

private:
    AutopilotSettings settings_;
    bool ignores_yaw_ = false;
    std::optional<Autopilot> autopilot_;
    std::optional<bool> had_control_;
    std::string stale_;
    std::string warning_;  ///< the present run warning; empty: none
};

}  // namespace caribou::marine
