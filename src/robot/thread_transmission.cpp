#include "robot/thread_transmission.hpp"

#include <utility>

#include "link/message.hpp"

namespace caribou::robot {

ThreadTransmission::ThreadTransmission(Strand& strand, Network& network, motion::MotionControl& motion,
                                       RobotBuffers& buffers, Options options)
    : strand_(strand),
      network_(network),
      buffers_(buffers),
      options_(std::move(options)),
      seal_(options_.trust),
      stops_(strand, motion, buffers, options_.trust,
             [this](const Address& to, const link::Answer& answer) { send(to, answer); }),
      telemetry_buffer_event_(strand, [this] { on_telemetry(); }),
      error_buffer_event_(strand, [this] { on_errors(); }),
      transmission_cmd_event_(strand, [this] { on_command(); }),
      proof_(strand.loop().make_timer([this] { prove(); })) {
    buffers_.telemetry_buffer_event.push_back(&telemetry_buffer_event_);
    buffers_.error_buffer_event = &error_buffer_event_;
    buffers_.transmission_cmd_event = &transmission_cmd_event_;
    if (options_.sends_at_once) destination_ = options_.station;
}

/// Returns the local address for datagrams to a station: loopback for one on this machine.
static Address any_port_towards(const Address& station) {
    if (station.is_loopback()) return Address::ip(station.host, 0);
    return Address::ip(station.host.contains(':') ? "::" : "0.0.0.0", 0);
}

void ThreadTransmission::start() {
    auto socket = network_.bind(any_port_towards(options_.station), [this] { on_packet(); });
    Result<void> outcome;
    if (socket)
        socket_ = std::move(*socket);
    else
        outcome = fail(std::move(socket.error()));
    buffers_.note(ThreadStarted{ThreadName::transmission, std::move(outcome)});
    prove();
}

void ThreadTransmission::on_packet() {
    std::array<std::byte, link::LinkLimits::datagram> scratch{};
    for (int i = 0; i < 16; ++i) {  // then other handlers of the loop run
        const auto received = socket_->receive(scratch);
        if (!received || !*received) return;
        if (strand_.loop().clock().now() < mute_until_) continue;
        stops_.take((*received)->from, ByteView(scratch).first((*received)->size));
    }
}

void ThreadTransmission::stop() {
    proof_->cancel();
    on_telemetry();
    socket_.reset();
}

void ThreadTransmission::go_mute(Duration time) {
    strand_.post_here([this, time] { mute_until_ = strand_.loop().clock().now() + time; });
}

void ThreadTransmission::prove() {
    const Instant now = strand_.loop().clock().now();
    buffers_.prove_alive(ThreadName::transmission, now);
    // Without keys, only this names the sender of telemetry that belongs to no session.
    if (options_.sends_at_once && !options_.trust)
        std::ignore = send(options_.station, link::ConnectToMe{options_.robot, 0});
    proof_->arm(now + options_.proof);
}

bool ThreadTransmission::send(const Address& to, const link::DatagramMessage& message) {
    if (strand_.loop().clock().now() < mute_until_) return false;
    const auto sealed = seal_.seal(link::datagram_of(++number_, message));
    const bool sent = socket_ && sealed && socket_->send(to, *sealed);
    if (!sent) ++counts_.failures;
    return sent;
}

void ThreadTransmission::on_telemetry() {
    const std::uint64_t events = telemetry_buffer_event_.take();
    on_errors();
    if (!destination_ || events == 0) return;
    counts_.skipped += events - 1;
    const auto round = buffers_.telemetry_buffer.copy();
    if (round && send(*destination_, round->summary)) ++counts_.telemetry;
}

void ThreadTransmission::on_errors() {
    std::ignore = error_buffer_event_.take();
    for (std::string& text : buffers_.error_buffer.take())
        if (send(destination_.value_or(options_.station), link::ErrorReport{std::move(text)}))
            ++counts_.errors;
}

void ThreadTransmission::on_command() {
    std::ignore = transmission_cmd_event_.take();
    for (const TransmissionCommand& command : buffers_.transmission_cmd.take()) {
        if (const auto* set = std::get_if<SetDestination>(&command)) {
            destination_ = set->to;
        } else if (const auto* seal = std::get_if<SealFor>(&command)) {
            seal_.set_session(seal->session);
            stops_.set_session(*seal);
        } else if (send(options_.station,
                        link::ConnectToMe{options_.robot, std::get<CallForStation>(command).receive_port})) {
            ++counts_.calls;
        }
    }
}

}  // namespace caribou::robot
