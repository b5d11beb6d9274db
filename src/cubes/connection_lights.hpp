#pragma once

#include "loop/time.hpp"

namespace caribou::cubes {

/// The lights that show users how a connection changes.
class ConnectionLights {
public:
    virtual void play_connection_lights() = 0;
    /// Returns how long the lights take.
    virtual Duration play_disconnect_lights() = 0;
    /// Stops connection and disconnect lights, if any are playing.
    virtual void stop_connection_lights() = 0;
    /// Sets whether the lights of the state layer may be shown.
    virtual void enable_status_lights(bool enabled) = 0;

protected:
    ~ConnectionLights() = default;
};

}  // namespace caribou::cubes
