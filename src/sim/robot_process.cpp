#include "sim/robot_process.hpp"

namespace caribou::sim {

RobotProcess::RobotProcess(RobotMachine& machine, const RobotProgram& program, CommandAudit& commands,
                           Log& log)
    : strand_(machine.loop),
      network_(machine.network, commands),
      buffers_(strand_),
      inbox_(buffers_),
      motion_(program.config.motion),
      propulsion_(machine.loop, machine.body, program.config.motion, *this),
      robot_({.strands = {strand_, strand_, strand_, strand_, strand_},
              .transmission_network = network_,
              .receiver_network = network_,
              .body = machine.body,
              .motion = propulsion_,
              .buffers = buffers_,
              .ai = {.radio = machine.radio,
                     .preferences = machine.preferences,
                     .add_classes = program.add_classes,
                     .read_file = [](const std::string& path) -> Result<std::string> {
                         return fail(Code::not_found, path + ": there are no files here");
                     }},
              .tree = program.tree,
              .store = machine.store,
              .reboots = machine.reboots,
              .log = log,
              .plain_afar = true},
             program.config) {
    if (machine.broker)
        bus_ = std::make_unique<robot::RobotBus>(
            strand_, machine.network, buffers_, log,
            [this](robot::Request request) { robot_.command(std::move(request)); },
            robot::RobotBus::Options{.robot = program.config.name,
                                     .broker = *machine.broker,
                                     .prefix = program.config.bus_prefix});
    robot_.main().on_end([this](const robot::RobotEnd& end) { end_ = end; });
}

RobotProcess::~RobotProcess() = default;

void RobotProcess::start() {
    if (bus_) std::ignore = bus_->start();
    propulsion_.start();
    robot_.start();
}

}  // namespace caribou::sim
