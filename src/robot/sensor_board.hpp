#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "link/answer.hpp"
#include "motion/body.hpp"
#include "robot/robot_buffers.hpp"

namespace caribou::robot {

/// Which sensors are read and powered: by command, by the mode, or by the configuration. Owns `sensor_array`.
class SensorBoard {
public:
    /// Both arguments must outlive this object. `off` lists sensors that are initially off.
    SensorBoard(motion::Body& body, RobotBuffers& buffers, const std::vector<std::string>& off);

    /// Commands 202 and 206.
    std::optional<link::Objection> enable(std::string_view name, bool on);
    /// Switches the sensors for driving: in RM1 often only battery and charger stay on.
    void power_for_driving(bool on);
    /// Command 203 and its inverse: all sensors that can be powered down without a restart.
    void power_all(bool on);

    /// Switches off the sensors of these kinds, because no behavior needs them, and those named before on
    /// again. Sensors that propulsion requires stay on.
    void leave_off(std::set<std::string> kinds);

    /// Returns whether a sensor is read at present; false for an unknown name.
    bool reads(std::string_view name) const;

private:
    bool is_read(std::size_t sensor) const;
    void publish();

    motion::Body& body_;
    RobotBuffers& buffers_;
    std::set<std::size_t> off_;
    std::set<std::string> unneeded_;  ///< kinds
    bool driving_ = true;
    bool collecting_ = true;
};

}  // namespace caribou::robot
