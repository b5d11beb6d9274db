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

/// All that a robot has of cubes, joined to each other over one radio.
class CubeSystem final : private LinkEvents {
public:
    /// All of them outlive it.
    CubeSystem(Loop& loop, Radio& radio, PreferenceStore& preferences, Log& log,
               CubeSystemOptions options = {});
    ~CubeSystem();
    CubeSystem(const CubeSystem&) = delete;
    CubeSystem& operator=(const CubeSystem&) = delete;

    /// Who hears what is done to the connected cube.
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
