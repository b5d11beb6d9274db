#include "robot/robot_bus.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "robot/map_desk.hpp"

namespace caribou::robot {
namespace {

/// Time after a connection in which the broker has sent the stored values.
constexpr Duration stored_value_limit = std::chrono::seconds(1);

/// Seconds by which the clock of a writer may be ahead.
constexpr double max_lead = 0.5;

bus::ClientOptions client_options(const RobotBus::Options& options) {
    bus::ClientOptions client;
    client.name = options.robot;
    client.broker = options.broker;
    client.outbox.when_full = WhenFull::drop_oldest;
    client.on_loss = bus::OnLoss::drop;
    return client;
}

/// Returns `cube_name` as `CUBE_NAME`.
std::string in_capitals(std::string name) {
    for (char& c : name)
        if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    return name;
}

}  // namespace

RobotBus::RobotBus(Strand& strand, Network& network, RobotBuffers& buffers, Log& log, Submit submit,
                   Options options, Learn learn)
    : strand_(strand),
      buffers_(buffers),
      log_(log),
      requests_log_(log, strand.loop().clock(), "commands over the bus"),
      submit_(std::move(submit)),
      options_(std::move(options)),
      learn_(std::move(learn)),
      client_(strand.loop(), network, client_options(options_)),
      view_(strand.loop(), client_, {to_string(options_.broker), options_.hosted}),
      session_(buffers.open_session()),
      telemetry_buffer_event_(strand, [this] { on_telemetry(); }),
      stalls_(strand.loop()),
      alive_timer_(strand.loop().make_timer([this] { prove_alive(); })) {
    alive_timer_->arm(strand.loop().clock().now());
    buffers_.telemetry_buffer_event.push_back(&telemetry_buffer_event_);
    const std::string command = options_.prefix + "CMD";
    std::ignore = client_.register_variable(command);
    client_.on_mail(command, [this](const wire::MessageView& mail) { on_command(mail); });
    for (const std::string& name : options_.facts) {
        std::ignore = client_.register_variable(name);
        client_.on_mail(name, [this, name](const wire::MessageView& mail) {
            if (mail.is_number())
                learn_(name, mail.value);
            else if (!mail.is_binary())
                learn_(name, std::string(mail.payload));
        });
    }
    client_.on_connected([this] {
        connected_stamp_ = client_.stamp();
        connected_at_ = strand_.loop().clock().now();
        log_.info("the robot is on the bus");
    });
}

void RobotBus::ask_view(TellView tell) {
    strand_.post_here(self_.bind([tell = std::move(tell)](RobotBus& self) { self.view_.ask(tell); }));
}

void RobotBus::ask_line(std::string line, std::function<void(Result<std::string>)> told) {
    strand_.post_here(self_.bind([line = std::move(line), told = std::move(told)](RobotBus& self) {
        self.view_.command(line, told);
    }));
}

void RobotBus::publish(std::string variable, behavior::Value value) {
    strand_.post_here(self_.bind([variable = std::move(variable), value = std::move(value)](RobotBus& self) {
        if (const auto* text = std::get_if<std::string>(&value))
            std::ignore = self.client_.notify(variable, *text);
        else if (const auto* number = std::get_if<double>(&value))
            std::ignore = self.client_.notify(variable, *number);
        else
            std::ignore = self.client_.notify(variable, std::get<bool>(value) ? 1.0 : 0.0);
    }));
}

void RobotBus::tell(std::string_view name, std::string_view value) {
    std::ignore = client_.notify(options_.prefix + std::string(name), value);
}

void RobotBus::tell(std::string_view name, double value) {
    std::ignore = client_.notify(options_.prefix + std::string(name), value);
}

void RobotBus::prove_alive() {
    const Instant now = strand_.loop().clock().now();
    buffers_.prove_alive(ThreadName::bus, now);
    requests_log_.tick();
    alive_timer_->arm(now + duty_period);
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
    tell("PLACES", ai.places);
    tell("ZONES", ai.zones ? zones_line(*ai.zones) : "");
    tell("CUBE", ai.cube);
    for (const auto& [fact, value] : ai.cube_facts) {
        if (const auto* number = std::get_if<double>(&value))
            tell(in_capitals(fact), *number);
        else
            tell(in_capitals(fact), behavior::to_string(value));
    }
    for (const NumberedCubeEvent& event : ai.cube_events)
        if (event.number > last_cube_event_) {
            last_cube_event_ = event.number;
            tell("CUBE_EVENT", fmt::format("{} {}", event.number, event.text));
        }
}

std::string RobotBus::too_old(const wire::MessageView& mail, const link::Command& command) const {
    const bool was_there = mail.time < connected_stamp_;
    // The broker sends the stored value at once, whose time may be wrong.
    const bool may_be_stored = strand_.loop().clock().now() - connected_at_ < stored_value_limit;
    const std::string stored = "it was written before the robot was on the bus, or within a second of that";
    // A stop or halt that arrives later counts, however slow the clock of its writer is.
    if (command.code == link::CommandCode::full_stop || link::is_halt(command))
        return was_there && may_be_stored ? stored : "";
    if (was_there || may_be_stored) return stored;
    const double age = client_.stamp() - mail.time;
    if (age > to_seconds(link::max_start_age))
        return fmt::format("it was written {:.1f} s ago, by the clock of its writer", age);
    if (age < -max_lead)
        return fmt::format("its time is {:.1f} s in the future: the clock of its writer is wrong", -age);
    return {};
}

double RobotBus::given(const wire::MessageView& mail) {
    return std::min(stalls_.received(),
                    strand_.loop().clock().boot_seconds() - (client_.stamp() - mail.time));
}

void RobotBus::answer(const link::Answer& answer) {
    tell("ANSWER", fmt::format("{} {}", answer.id.value, to_string(answer)));
}

std::optional<link::Objection> RobotBus::objection_to(const link::Command& command) const {
    // The robot's own behaviors write to the bus, too.
    if (command.code == link::CommandCode::release_stop)
        return link::Objection{link::Refusal::not_allowed,
                               "no program releases a full stop; release it at the station, on the page, by "
                               "`caribou robot release` on the robot, or by a button"};
    if (command.code == link::CommandCode::full_stop) return std::nullopt;
    if (open_commands_ >= max_commands + (link::is_halt(command) ? max_halts : 0))
        return link::Objection{link::Refusal::busy, "too many commands of the bus wait for an answer"};
    return std::nullopt;
}

void RobotBus::on_command(const wire::MessageView& mail) {
    const link::CommandId id{++last_id_};
    auto command = link::command_from(mail.payload);
    if (!command) return answer(link::Answer::refused(id, link::objection_to_text(command.error())));
    command->id = id;
    if (const std::string why = too_old(mail, *command); !why.empty()) {
        requests_log_.info(fmt::format("{} of {} over the bus is not carried out: {}", to_string(*command),
                                       mail.source, why));
        return tell("ANSWER", fmt::format("{} EXPIRED: {}", id.value, why));
    }
    requests_log_.info(fmt::format("{} asks over the bus for {}", mail.source, to_string(*command)));
    if (auto objection = objection_to(*command))
        return answer(link::Answer::refused(id, std::move(*objection)));
    // Full stops are limited by the stop desk, which stops first.
    const std::size_t counted = command->code == link::CommandCode::full_stop ? 0 : 1;
    const auto reply = self_.bind([counted](RobotBus& self, const link::Answer& answer) {
        if (answer.is_final()) self.open_commands_ -= counted;
        self.answer(answer);
    });
    const double given_at = given(mail);
    open_commands_ += counted;
    submit_(
        {.peer = {.name = "bus",
                  .role = options_.drive ? link::Role::drive : link::Role::observe,
                  .session = session_,
                  .key = "bus"},
         .command = std::move(*command),
         .reply = [&strand = strand_, reply](
                      const link::Answer& answer) { strand.post_here([reply, answer] { reply(answer); }); },
         .given = given_at});
}

}  // namespace caribou::robot
