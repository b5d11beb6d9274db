#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bus/app.hpp"
#include "marine/autopilot.hpp"
#include "marine/geodesy.hpp"
#include "marine/vehicle.hpp"

namespace caribou::marine {

/// A simulated vehicle with the variables and words of uSimMarine; with words of pMarinePID in its block, it
/// contains the autopilot, too.
class VehicleApp final : public bus::App {
public:
    explicit VehicleApp(bus::AppFrame& frame);

    Result<void> on_start_up() override;
    Result<void> on_connect_to_server() override;
    Result<void> on_new_mail(std::span<const wire::Message> mail) override;
    Result<void> iterate() override;

private:
    void declare_words();
    Result<VehicleState> start_state() const;
    void take_number(const wire::Message& message);
    void take_text(const wire::Message& message);
    void take_drift(std::string_view text, bool adds);
    void reset(std::string_view text);
    void publish();
    void publish_drift();
    std::string report() const;

    VehicleSettings settings_;
    AutopilotSettings autopilot_settings_;
    std::string prefix_ = "USM";
    std::string start_position_;
    VehicleState start_;
    std::string thrust_map_;
    double thrust_factor_ = 20;
    bool thrust_reflect_ = false;
    double drift_x_ = 0, drift_y_ = 0, rotate_speed_ = 0, water_depth_ = 0;
    std::string drift_vector_;
    bool paused_ = false;
    std::string unsupported_[6];

    std::optional<Vehicle> vehicle_;
    std::optional<Autopilot> autopilot_;
    std::optional<Geodesy> geodesy_;
    Vec2 sides_{};
    bool enabled_ = true;
    std::uint64_t iteration_ = 0;
    std::uint64_t resets_ = 0;
    std::optional<Instant> last_step_;
    std::string drift_summary_;
};

/// Parses `x=1,y=2,heading=90,speed=1,depth=0`, or the numbers in the order x, y, heading, speed, depth.
Result<VehicleState> parse_vehicle_state(std::string_view text, VehicleState otherwise);

}  // namespace caribou::marine
