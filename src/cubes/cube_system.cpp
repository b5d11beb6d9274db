#include "cubes/cube_system.hpp"

#include <utility>

namespace caribou::cubes {

CubeSystem::CubeSystem(Loop& loop, Radio& radio, PreferenceStore& preferences, Log& log,
                       CubeSystemOptions options)
    : loop_(loop),
      sensing_(options.sensing),
      comms(loop, radio, preferences, log, std::move(options.comms)),
      lights(loop, comms, log),
      coordinator(loop, comms, lights, options.times) {
    comms.add_observer(*this);
}

CubeSystem::~CubeSystem() { comms.remove_observer(*this); }

void CubeSystem::on_message(const CubeMessage& message) {
    for (const CubeEvent& event : sensing_.take(message, loop_.clock().now()))
        if (on_event_) on_event_(event);
}

}  // namespace caribou::cubes
