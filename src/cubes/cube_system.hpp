#pragma once

#include <functional>

#include "cubes/comms.hpp"
#include "cubes/coordinator.hpp"
#include "cubes/cube_sensing.hpp"
#include "cubes/lights.hpp"

namespace caribou::cubes {

struct CubeSystemOptions {
    CommsOptions comms{};
    CoordinatorTimes times{};
    SensingOptions sensing{};
};

/// All cube components of a robot, connected to each other and to one radio.
class CubeSystem final : private LinkEvents {
public:
    /// All arguments passed by reference must outlive the system.
    CubeSystem(Loop& loop, Radio& radio, PreferenceStore& preferences, Log& log,
               CubeSystemOptions options = {});
    ~CubeSystem();
    CubeSystem(const CubeSystem&) = delete;
    CubeSystem& operator=(const CubeSystem&) = delete;

    /// Sets the callback for events of the connected cube.
    void set_on_event(std::move_only_function<void(const CubeEvent&)> on_event) {
        on_event_ = std::move(on_event);
    }
    const CubeSensing& sensing() const { return sensing_; }

private:
    void on_link_connected() override { sensing_.reset(); }
    void on_message(const CubeMessage& message) override;

    Loop& loop_;
    CubeSensing sensing_;
    std::move_only_function<void(const CubeEvent&)> on_event_;

public:
    CubeCommsComponent comms;
    CubeLightComponent lights;
    CubeConnectionCoordinator coordinator;
};

}  // namespace caribou::cubes
