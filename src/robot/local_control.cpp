#include "robot/local_control.hpp"

#include <utility>

#include "link/message.hpp"

namespace caribou::robot {
namespace {

using link::CommandCode;

bool is_local_command(CommandCode code) {
    return code == CommandCode::full_stop || code == CommandCode::release_stop ||
           code == CommandCode::power_off || code == CommandCode::status;
}

}  // namespace

LocalControl::LocalControl(Strand& strand, Network& network, RobotBuffers& buffers, std::string robot,
                           Submit submit)
    : strand_(strand),
      network_(network),
      buffers_(buffers),
      robot_(std::move(robot)),
      submit_(std::move(submit)),
      handlers_{
          .on_auth = [this](LinkSession& from, const link::Auth& auth) -> Result<void> {
              from.known_as({.name = "local " + auth.name,
                             .role = link::Role::drive,
                             .session = from.number(),
                             .needs_lease = false});
              from.send(link::Welcome{robot_, link::Role::drive, from.number()});
              return {};
          },
          .on_command = [this](LinkSession& from, const link::Command& command) { pass_on(from, command); },
          .on_heard = [](LinkSession&) {},
          .now = [this] { return strand_.loop().clock().unix_seconds(); },
          .on_end = [this](LinkSession& from, const std::string&) { forget(from.number()); },
          .join_topics = [](LinkSession&, link::FrameOutbox&, views::TopicLine::Handlers)
              -> std::unique_ptr<views::TopicLine> { return nullptr; },
      },
      self_(std::make_shared<LocalControl*>(this)) {}

Result<void> LocalControl::listen(const Address& at) {
    auto listener = network_.listen(at, [this](auto stream) { accept(std::move(stream)); });
    if (!listener) return fail(std::move(listener.error()));
    listener_ = std::move(*listener);
    return {};
}

void LocalControl::accept(std::unique_ptr<Stream> stream) {
    // The oldest session is closed to make room.
    if (sessions_.size() == max_sessions) {
        buffers_.close_session(sessions_.begin()->first);
        sessions_.erase(sessions_.begin());
    }
    const std::uint64_t number = buffers_.open_session();
    sessions_.emplace(number, std::make_unique<LinkSession>(number, std::move(stream), handlers_));
}

void LocalControl::pass_on(LinkSession& session, const link::Command& command) {
    if (!is_local_command(command.code))
        return session.send(link::Answer::refused(
            command.id,
            {link::Refusal::not_allowed, "on this socket: full_stop, release_stop, power_off and status"}));
    submit_({.peer = *session.peer(),
             .command = command,
             .reply = [&strand = strand_, number = session.number(),
                       self = std::weak_ptr(self_)](const link::Answer& answer) {
                 strand.post_here([self, number, answer] {
                     const auto alive = self.lock();
                     if (!alive) return;
                     const auto found = (*alive)->sessions_.find(number);
                     if (found != (*alive)->sessions_.end()) found->second->send(answer);
                 });
             }});
}

void LocalControl::forget(std::uint64_t number) {
    buffers_.close_session(number);
    // Not within its own call.
    strand_.loop().post([self = std::weak_ptr(self_), number] {
        if (const auto alive = self.lock()) (*alive)->sessions_.erase(number);
    });
}

}  // namespace caribou::robot
