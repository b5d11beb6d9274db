#include "caribou/world_serve.hpp"

#include <csignal>
#include <cstdio>
#include <fstream>
#include <tuple>

#include <fmt/format.h>

#include "adapters/body/driver_line.hpp"
#include "platform/console_log.hpp"
#include "platform/event_loop.hpp"
#include "platform/real_time_priority.hpp"
#include "platform/socket_network.hpp"
#include "sim/world_server.hpp"

namespace caribou::app {
namespace {

Exit complain_of(std::string_view command, const std::string& why) {
    fmt::print(stderr, "caribou world {}: error: {}\n", command, why);
    return Exit::failed;
}

}  // namespace

Exit serve_world(world::WorldPlan plan, const std::string& file, const WorldServeOptions& options) {
    std::ofstream trace;
    if (!options.trace.empty()) {
        trace.open(options.trace, std::ios::app);
        if (!trace) return complain_of("serve", fmt::format("cannot write {}", options.trace));
    }
    EventLoop loop;
    ConsoleLog log(Level::info);
    SocketNetwork network(loop, log);
    sim::WorldServer server(loop, network, world::World(std::move(plan)), log, [&](std::string_view line) {
        if (trace.is_open()) trace << line << '\n' << std::flush;
    });
    if (const auto listening = server.listen(Address::unix_path(options.socket)); !listening)
        return complain_of("serve", listening.error().message);
    fmt::print("{} is served at {}\n", file, options.socket);
    std::fflush(stdout);
    loop.stop_on_signals({SIGINT, SIGTERM});
    // A world stands for hardware: it stops a robot at once, whatever else the machine does.
    if (const auto preferred = prefer_real_time(world_priority); !preferred)
        log.info(preferred.error().message);
    loop.run();
    return Exit::ok;
}

Exit drive_in_world(const std::string& socket, const std::string& name) {
    auto robot = inherited_driver_socket();
    if (!robot) return complain_of("drive", robot.error().message);
    std::ignore = prefer_real_time(driver_priority);
    const auto end = relay_to_world(std::move(*robot), socket, name);
    return end ? Exit::ok : complain_of("drive", end.error().message);
}

}  // namespace caribou::app
