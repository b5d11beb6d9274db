#include "behavior/sensor_modes.hpp"

namespace caribou::behavior {

void SensorModes::set_switch(SensorSwitch* sensor_switch) {
    switch_ = sensor_switch;
    if (!switch_) return;
    for (const auto& [mode, count] : wanted_)
        if (count > 0) switch_->set_mode(mode, true);
}

void SensorModes::want(const std::vector<std::string>& modes) {
    // All are counted before the switch, which is user code, can throw.
    std::vector<const std::string*> added;
    for (const std::string& mode : modes)
        if (wanted_[mode]++ == 0) added.push_back(&mode);
    if (!switch_) return;
    for (const std::string* mode : added) switch_->set_mode(*mode, true);
}

void SensorModes::release(const std::vector<std::string>& modes) {
    for (const std::string& mode : modes)
        if (--wanted_[mode] == 0 && switch_) switch_->set_mode(mode, false);
}

bool SensorModes::wanted(std::string_view mode) const {
    const auto found = wanted_.find(mode);
    return found != wanted_.end() && found->second > 0;
}

}  // namespace caribou::behavior
