#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/check.hpp"
#include "world/world.hpp"
#include "world/world_reader.hpp"

/// Reads arbitrary bytes as a world file. They are rejected with valid positions, or give a world in which
/// robots can start and that can be written and read again.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace caribou;
    using namespace caribou::world;
    const NamedText file{"f", std::string(reinterpret_cast<const char*>(data), size)};
    if (const auto faults = read_faults(file); !faults)
        check(!faults.error().empty(), "what is refused has a reason");
    const auto plan = read_world(file);
    if (!plan) {
        check(!plan.error().empty(), "what is refused has a reason");
        for (const TextFault& fault : plan.error())
            check(fault.line > 0 && fault.column > 0 && !fault.message.empty(),
                  "a fault has a place and a message");
        return 0;
    }
    check(read_world({"again", world_text(*plan)}).has_value(), "what was read can be written");
    World world(*plan);
    for (std::size_t i = 0; i < plan->starts.size() && i < 3; ++i) {
        const auto robot = world.add_robot();
        if (!robot) continue;
        world.drive(*robot, {0.5, 0.4});
        world.advance(std::chrono::milliseconds(500));
        check(Area{{0, 0}, plan->size}.contains(position(world.pose(*robot))), "a robot stays on the floor");
        static_cast<void>(world.lidar(*robot));
    }
    return 0;
}
