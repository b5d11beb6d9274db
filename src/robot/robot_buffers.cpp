#include "robot/robot_buffers.hpp"

namespace caribou::robot {

std::string_view to_string(ThreadName name) {
    constexpr std::array<std::string_view, thread_count> names{
        "main",     "telemetry", "transmission", "receiver", "ai", "propulsion",
        "watchdog", "stops",     "signals",      "latch",    "bus"};
    return names.at(static_cast<std::size_t>(name));
}

bool RobotBuffers::submit_stop(Request request) {
    std::uint64_t number = 0;
    open_stops.change([&](OpenStops& open) {
        number = ++open.last;
        open.stops[number] = {request.command.id, request.reply};
    });
    const auto close = [this, number] {
        bool was_open = false;
        open_stops.change([&](OpenStops& open) { was_open = open.stops.erase(number) > 0; });
        return was_open;
    };
    request.reply = [close, reply = std::move(request.reply)](const link::Answer& answer) {
        if (!answer.is_final() || close()) reply(answer);
    };
    if (stop_cmd && stop_cmd->push(std::move(request)) != Pushed::refused) return true;
    close();
    return false;
}

std::vector<Held> RobotBuffers::held() const {
    return {{"errors to send", error_buffer.copy().size(), most_errors},
            {"commands for transmission", transmission_cmd.copy().size(), most_transmission_commands},
            {"commands and notices for main", main_cmd ? main_cmd->size() : 0, most_commands + most_notes}};
}

}  // namespace caribou::robot
