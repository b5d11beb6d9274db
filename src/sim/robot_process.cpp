#include "sim/robot_process.hpp"

#include <utility>

namespace caribou::sim {
namespace {

std::optional<robot::LinkTrust> trust_of(RobotMachine& machine, const RobotProgram& program) {
    ++machine.starts;
    if (machine.keys.keys.empty()) return std::nullopt;
    return std::optional<robot::LinkTrust>(
        std::in_place, machine.keys, machine.cookie,
        robot::LinkTrust::Options{.robot = program.config.name, .boot = machine.starts});
}

}  // namespace

RobotProcess::RobotProcess(RobotMachine& machine, const RobotProgram& program, CommandAudit& commands,
                           Log& log, std::function<void()> on_step)
    : on_step_(std::move(on_step)),
      threads_{HangingLoop(machine.loop), HangingLoop(machine.loop), HangingLoop(machine.loop)},
      strand_(machine.loop),
      main_(threads_[0]),
      telemetry_(threads_[1]),
      ai_(threads_[2]),
      trust_(trust_of(machine, program)),
      streams_(machine.network, {.keys = [this](link::KeyId id) -> Result<link::SecretKey> {
                                     auto key = trust_->admit(id);
                                     if (!key) return fail(std::move(key.error()));
                                     return key->key;
                                 },
                                 .seed = machine.starts}),
      network_(trust_ ? static_cast<Network&>(streams_) : machine.network, commands),
      buffers_(strand_),
      inbox_(buffers_),
      motion_(program.config.motion),
      propulsion_(machine.loop, machine.body, program.config.motion, *this),
      robot_({.strands = {main_, telemetry_, strand_, strand_, ai_, strand_},
              .transmission_network = machine.network,
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
              .latch = machine.latch,
              .log = log,
              .plain_afar = true,
              .trust = trust_ ? &*trust_ : nullptr},
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
