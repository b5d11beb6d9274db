#include "robot/robot_bus.hpp"

#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace caribou::robot {
namespace {

bus::ClientOptions client_options(const RobotBus::Options& options) {
    bus::ClientOptions client;
    client.name = options.robot;
    client.broker = options.broker;
    client.outbox.when_full = WhenFull::drop_oldest;
    client.on_loss = bus::OnLoss::drop;
    return client;
}

}  // namespace

RobotBus::RobotBus(Strand& strand, Network& network, RobotBuffers& buffers, Log& log, Submit submit,
                   Options options, Learn learn)
    : strand_(strand),
      buffers_(buffers),
      log_(log),
      submit_(std::move(submit)),
      options_(std::move(options)),
      learn_(std::move(learn)),
      client_(strand.loop(), network, client_options(options_)),
      view_(strand.loop(), client_, {to_string(options_.broker), options_.hosted}),
      session_(buffers.open_session()),
      telemetry_buffer_event_(strand, [this] { on_telemetry(); }),
      self_(std::make_shared<RobotBus*>(this)) {
    buffers_.telemetry_buffer_event.push_back(&telemetry_buffer_event_);
    const std::string command = options_.prefix + "CMD";
    std::ignore = client_.register_variable(command);
    client_.on_mail(command,
                    [this](const wire::MessageView& mail) { on_command(mail.payload, mail.source); });
    for (const std::string& name : options_.facts) {
        std::ignore = client_.register_variable(name);
        client_.on_mail(name, [this, name](const wire::MessageView& mail) {
            if (mail.is_number())
                learn_(name, mail.value);
            else if (!mail.is_binary())
                learn_(name, std::string(mail.payload));
        });
    }
    client_.on_connected([this] { log_.info("the robot is on the bus"); });
}

void RobotBus::ask_view(TellView tell) {
    strand_.post_here([self = std::weak_ptr(self_), tell = std::move(tell)] {
        if (const auto alive = self.lock()) (*alive)->view_.ask(tell);
    });
}

void RobotBus::ask_line(std::string line, std::function<void(Result<std::string>)> told) {
    strand_.post_here([self = std::weak_ptr(self_), line = std::move(line), told = std::move(told)] {
        if (const auto alive = self.lock()) (*alive)->view_.command(line, told);
    });
}

void RobotBus::tell(std::string_view name, std::string_view value) {
    std::ignore = client_.notify(options_.prefix + std::string(name), value);
}

void RobotBus::tell(std::string_view name, double value) {
    std::ignore = client_.notify(options_.prefix + std::string(name), value);
}

void RobotBus::on_telemetry() {
    std::ignore = telemetry_buffer_event_.take();
    const auto round = buffers_.telemetry_buffer.copy();
    if (!round || !client_.connected()) return;
    const link::Telemetry& t = round->summary;
    tell("RUN_MODE", link::to_string(t.run_mode));
    tell("WAITS_FOR", t.waits_for ? link::to_string(*t.waits_for) : "");
    tell("COM_MODE", link::to_string(t.com_mode));
    tell("MOVEMENT_STATE", static_cast<double>(t.movement_state));
    tell("MOVEMENT_CLASS", static_cast<double>(t.movement_class));
    tell("STOPPED", t.stopped ? "true" : "false");
    tell("WINNER", t.winner);
    tell("REASON", t.reason);
    tell("X", t.pose.x);
    tell("Y", t.pose.y);
    tell("HEADING", t.pose.heading);
    if (round->motion.measured) tell("SPEED", round->motion.odometry.speed);
    if (!std::isnan(t.battery.level)) tell("BATTERY", static_cast<double>(t.battery.level));
    tell("ON_CHARGER", t.battery.on_charger ? "true" : "false");
    tell("FAULTS", fmt::format("{}", fmt::join(t.faults, ",")));
    const AiBoard ai = buffers_.ai_board.copy();
    tell("STACK", fmt::format("{}", fmt::join(ai.stack, ">")));
    tell("CUBE", ai.cube);
}

void RobotBus::on_command(std::string_view text, std::string_view source) {
    const std::uint64_t id = ++last_id_;
    auto command = link::command_from(text);
    if (!command) return tell("ANSWER", fmt::format("{} BAD_ARGUMENT: {}", id, command.error().message));
    command->id = {id};
    log_.info(fmt::format("{} asks over the bus for {}", source, to_string(*command)));
    submit_({.peer = {.name = "bus",
                      .role = options_.drive ? link::Role::drive : link::Role::observe,
                      .session = session_},
             .command = std::move(*command),
             .reply = [&strand = strand_, self = std::weak_ptr(self_)](const link::Answer& answer) {
                 strand.post_here([self, answer] {
                     const auto alive = self.lock();
                     if (alive)
                         (*alive)->tell("ANSWER", fmt::format("{} {}", answer.id.value, to_string(answer)));
                 });
             }});
}

}  // namespace caribou::robot
