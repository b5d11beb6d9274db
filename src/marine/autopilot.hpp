#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "marine/pid.hpp"

namespace caribou::marine {

/// The configuration of an autopilot, with the words of pMarinePID.
struct AutopilotSettings {
    PidGains yaw{.kp = 0.5, .kd = 0, .ki = 0, .integral_limit = 0.07, .maximum = 100};
    PidGains speed{.kp = 1, .kd = 0, .ki = 0, .integral_limit = 0.07, .maximum = 100};
    PidGains depth{.kp = 0.12, .kd = 0, .ki = 0.004, .integral_limit = 0.05, .maximum = 13};  ///< degrees
    PidGains pitch{.kp = 1.5, .kd = 0, .ki = 1, .integral_limit = 0, .maximum = 13};
    double speed_factor = 20;  ///< thrust per m/s; 0: by the PID of the speed
    bool depth_control = true;
    double helm_limit = 2;  ///< seconds after which an order is stale
    double nav_limit = 2;
};

/// Turns desired heading, speed and depth into thrust, rudder and elevator, as pMarinePID does: only while
/// no override is set and no input is stale. Times are warped UNIX seconds.
class Autopilot {
public:
    enum class Input : std::uint8_t {
        desired_heading,
        desired_speed,
        nav_heading,
        nav_speed,
        desired_depth,
        nav_depth,
        nav_pitch,
    };
    static constexpr std::size_t input_count = 7;

    explicit Autopilot(const AutopilotSettings& settings);

    void set(Input input, double value, double time);
    /// All inputs must be received anew after an override has been lifted.
    void set_override(bool overridden);
    void set_speed_factor(double factor) { settings_.speed_factor = factor; }

    struct Orders {
        double thrust = 0;
        double rudder = 0;
        std::optional<double> elevator{};  ///< with depth control
    };
    struct Step {
        std::optional<Orders> orders{};  ///< without control: zeros once, then none
        bool has_control = false;
        std::string stale{};  ///< `Stale DesHdg:2.003`, if an input is stale
    };
    Step step(double now);

private:
    struct Received {
        double value = 0;
        std::optional<double> time{};
    };
    std::size_t used() const { return settings_.depth_control ? input_count : 4; }
    const Received& of(Input input) const { return inputs_[std::size_t(input)]; }
    /// Returns the text for the first stale input; empty if there is none.
    std::string stale_input(double now) const;
    Orders control(double now);

    AutopilotSettings settings_;
    std::array<Received, input_count> inputs_{};
    bool overridden_ = true;
    bool had_control_ = false;
    double thrust_ = 0;
    Pid yaw_, speed_, depth_, pitch_;
};

}  // namespace caribou::marine
