#include "robot/robot_buffers.hpp"

namespace caribou::robot {

std::string_view to_string(ThreadName name) {
    constexpr std::array<std::string_view, thread_count> names{"main",     "telemetry", "transmission",
                                                               "receiver", "ai",        "propulsion"};
    return names.at(static_cast<std::size_t>(name));
}

}  // namespace caribou::robot
