#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace caribou::behavior {

/// Switches the robot's sensor modes, such as "faces" or "markers". Called only when the answer to
/// "does anybody want it" changes.
class SensorSwitch {
public:
    virtual ~SensorSwitch() = default;
    virtual void set_mode(std::string_view mode, bool wanted) = 0;
};

/// Counts who wants which sensor mode. It is on as long as one wants it.
class SensorModes {
public:
    /// May be null. A new switch hears at once of all modes that are on.
    void set_switch(SensorSwitch* sensor_switch);
    void want(const std::vector<std::string>& modes);
    void release(const std::vector<std::string>& modes);
    bool wanted(std::string_view mode) const;

private:
    SensorSwitch* switch_ = nullptr;
    std::map<std::string, std::size_t, std::less<>> wanted_;
};

}  // namespace caribou::behavior
