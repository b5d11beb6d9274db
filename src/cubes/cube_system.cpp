#include "cubes/cube_system.hpp"

#include <utility>

#include <fmt/format.h>

namespace caribou::cubes {

CubeSystem::CubeSystem(Loop& loop, Radio& radio, PreferenceStore& preferences, Log& log,
                       CubeSystemOptions options)
    : loop_(loop),
      sensing_(options.sensing),
      comms(loop, radio, preferences, log, std::move(options.comms)),
      lights(loop, comms, log),
      coordinator(loop, comms, lights, options.times) {
    comms.add_observer(*this);
    coordinator.set_on_throw([&log](std::string_view who, std::string_view what) {
        log.error(
            fmt::format("{} has thrown in a callback about the cube, and is unsubscribed: {}", who, what));
    });
}

CubeSystem::~CubeSystem() { comms.remove_observer(*this); }

void CubeSystem::on_message(const CubeMessage& message) {
    for (const CubeEvent& event : sensing_.take(message, loop_.clock().now()))
        if (on_event_) on_event_(event);
}

}  // namespace caribou::cubes
