#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "behavior/class_registry.hpp"
#include "behavior/sensor_modes.hpp"
#include "behavior/tree.hpp"

namespace caribou::robot {

/// Declares the sensor modes that trees can use: the kinds of sensors that propulsion does not use, so that
/// no tree makes the robot less safe.
void register_sensor_modes(behavior::ClassRegistry& classes);

/// Decides which sensors are off because no behavior needs them. A sensor that no behavior of the tree names
/// is not affected.
///
/// | the tree names it | behaviors run | a behavior wants it | needed |
/// |-------------------|---------------|---------------------|--------|
/// | no                | any           | -                   | yes    |
/// | yes               | no            | -                   | yes    |
/// | yes               | yes           | no                  | no     |
/// | yes               | yes           | yes                 | yes    |
class TreeSensors final : public behavior::SensorSwitch {
public:
    /// Receives the kinds of sensors that are not needed, whenever they have changed.
    using Publish = std::function<void(const std::set<std::string>& unneeded)>;
    explicit TreeSensors(Publish publish) : publish_(std::move(publish)) {}

    /// Sets the modes that the behaviors of the tree name.
    void set_tree(const behavior::BehaviorTree& tree);
    void set_running(bool runs) { runs_ = runs; }
    void set_mode(std::string_view mode, bool wanted) override;
    /// Must be called after each tick, and after each change of the above.
    void settle();

private:
    Publish publish_;
    std::set<std::string> named_;
    std::set<std::string> wanted_;
    std::set<std::string> published_;
    bool runs_ = false;
};

}  // namespace caribou::robot
