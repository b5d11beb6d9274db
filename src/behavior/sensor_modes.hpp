#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace caribou::behavior {

/// Switches the robot's sensor modes, such as "faces" or "markers". Called only when a mode becomes wanted or
/// unwanted.
class SensorSwitch {
public:
    virtual ~SensorSwitch() = default;
    virtual void set_mode(std::string_view mode, bool wanted) = 0;
};

/// Counts how many behaviors want each sensor mode. A mode is on while at least one wants it.
class SensorModes {
public:
    /// May be null. A new switch is immediately called for all modes that are on.
    void set_switch(SensorSwitch* sensor_switch);
    void want(const std::vector<std::string>& modes);
    void release(const std::vector<std::string>& modes);
    /// Returns whether the mode is on.
    bool wanted(std::string_view mode) const;

private:
    SensorSwitch* switch_ = nullptr;
    std::map<std::string, std::size_t, std::less<>> wanted_;
};

}  // namespace caribou::behavior
