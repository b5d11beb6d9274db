#pragma once

#include "loop/time.hpp"

namespace caribou::cubes {

/// The lights by which people see what becomes of a connection.
class ConnectionLights {
public:
    virtual void play_connection_lights() = 0;
    /// Returns how long they take.
    virtual Duration play_disconnect_lights() = 0;
    /// Ends connection and disconnect lights, if they play.
    virtual void stop_connection_lights() = 0;
    /// Whether the lights of the state layer may show.
    virtual void enable_status_lights(bool enabled) = 0;

protected:
    ~ConnectionLights() = default;
};

}  // namespace caribou::cubes
