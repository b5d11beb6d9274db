#include "link/link_console.hpp"

#include <array>
#include <utility>

namespace caribou::link {

LinkConsole::LinkConsole(Network& network, const Address& robot, std::string name, Role role, Command command,
                         Heard on_answer, std::optional<Given> given)
    : name_(std::move(name)),
      role_(role),
      command_(std::move(command)),
      heard_(std::move(on_answer)),
      given_(given),
      stream_(network.connect(robot, *this)) {}

void LinkConsole::send(const LinkMessage& message) {
    // A few hundred bytes, which always fit into the buffer of a new connection.
    const Bytes frame = frame_of(message);
    const std::array pieces{ByteView(frame)};
    if (auto taken = stream_->write(pieces); !taken) heard_(fail(std::move(taken.error())));
}

void LinkConsole::on_open() {
    send(Auth{name_, role_, {}});
    if (command_.code == CommandCode::full_stop) given_.reset();
    if (!given_) send_command();
}

void LinkConsole::send_command() {
    if (given_) send(Heartbeat{2, given_->at, 0});
    given_.reset();
    send(command_);
}

void LinkConsole::on_readable() {
    std::array<std::byte, 16 * 1024> scratch;
    const auto size = stream_->read(scratch);
    if (!size) return heard_(fail(size.error()));
    reader_.add(ByteView(scratch).first(*size));
    for (;;) {
        auto message = reader_.next();
        if (!message) return heard_(fail(std::move(message.error())));
        if (!*message) return;
        take(**message);
    }
}

void LinkConsole::take(const LinkMessage& message) {
    if (const auto* beat = std::get_if<Heartbeat>(&message); beat && given_) {
        send(Heartbeat{1, given_->clock.boot_seconds(), beat->sent});
        send_command();
    }
    // A robot of a version that states no time has the clock of this program.
    if (std::holds_alternative<Welcome>(message) && given_) send_command();
    if (const auto* answer = std::get_if<Answer>(&message); answer && answer->id == command_.id)
        heard_(*answer);
    if (const auto* goodbye = std::get_if<Goodbye>(&message)) heard_(fail(Code::refused, goodbye->why));
}

}  // namespace caribou::link
