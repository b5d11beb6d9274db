#pragma once

#include <optional>
#include <string>

#include "bus/app.hpp"
#include "marine/geodesy.hpp"
#include "marine/node_report.hpp"

namespace caribou::marine {

/// Publishes where the vehicle is in NODE_REPORT_LOCAL, as pNodeReporter does.
class NodeReporterApp final : public bus::App {
public:
    explicit NodeReporterApp(bus::AppFrame& frame);

    Result<void> on_start_up() override;
    Result<void> on_connect_to_server() override;
    Result<void> on_new_mail(std::span<const wire::Message> mail) override;
    Result<void> iterate() override;

private:
    std::string mode() const;
    /// Adds a run warning while the position is stale.
    void warn_of_old_position();

    std::string type_ = "kayak";
    double length_ = 0;
    std::string color_;
    std::string group_;
    std::string output_ = "NODE_REPORT_LOCAL";
    double helm_limit_ = 5;

    std::optional<Geodesy> geodesy_;
    NodeReport nav_;  ///< what is known of the vehicle
    std::string helm_state_;
    std::string allstop_ = "unknown";
    double helm_time_ = 0;
    double nav_time_ = 0;  ///< of the latest NAV_X, NAV_Y, NAV_LAT or NAV_LONG
    bool is_stale_ = false;
    std::uint64_t reports_ = 0;
    std::string last_;
};

}  // namespace caribou::marine
