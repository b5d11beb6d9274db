#include "robot/local_control.hpp"

#include <algorithm>
#include <utility>

#include "link/message.hpp"

namespace caribou::robot {
namespace {

using link::CommandCode;

bool is_local_command(CommandCode code) {
    return code == CommandCode::full_stop || code == CommandCode::release_stop ||
           code == CommandCode::power_off || code == CommandCode::status || code == CommandCode::map;
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
              from.beat();  // first: a program replies to it before it sends its command
              from.send(link::Welcome{robot_, link::Role::drive, from.number()});
              return {};
          },
          .on_command = [this](LinkSession& from, const link::Command& command) { pass_on(from, command); },
          .on_heard = [](LinkSession&) {},
          .now = [this] { return strand_.loop().clock().boot_seconds(); },
          .on_end = [this](LinkSession& from, const std::string&) { forget(from.number()); },
          .join_topics = [](LinkSession&, link::FrameOutbox&, views::TopicLine::Handlers)
              -> std::unique_ptr<views::TopicLine> { return nullptr; },
      },
      stalls_(strand.loop().clock()),
      turn_(strand.loop().make_timer([this] { turn(); })) {}

void LocalControl::turn() {
    stalls_.turn();
    if (buffers_.is_main_silent(strand_.loop().clock().now())) refuse_waiting();
    turn_->arm(strand_.loop().clock().now() + StallWatch::turn_period);
}

Result<void> LocalControl::listen(const Address& at) {
    auto listener = network_.listen(at, [this](auto stream) { accept(std::move(stream)); });
    if (!listener) return fail(std::move(listener.error()));
    listener_ = std::move(*listener);
    turn();
    return {};
}

/// Closes the oldest session, but none that has sent AUTH while there is another one.
void LocalControl::make_room() {
    auto closed = std::ranges::find_if(sessions_, [](const auto& each) { return !each.second->peer(); });
    if (closed == sessions_.end()) closed = sessions_.begin();
    buffers_.close_session(closed->first);
    sessions_.erase(closed);
}

void LocalControl::accept(std::unique_ptr<Stream> stream) {
    if (sessions_.size() == max_sessions) make_room();
    const std::uint64_t number = buffers_.open_session();
    sessions_.emplace(number, std::make_unique<LinkSession>(number, std::move(stream), handlers_));
}

void LocalControl::pass_on(LinkSession& session, const link::Command& command) {
    if (!is_local_command(command.code))
        return session.send(link::Answer::refused(
            command.id, {link::Refusal::not_allowed,
                         "on this socket: full_stop, release_stop, power_off, status and map"}));
    if (command.code != CommandCode::full_stop && command.code != CommandCode::power_off)
        waiting_.emplace(session.number(), command.id.value);
    const auto reply =
        self_.bind([number = session.number()](LocalControl& self, const link::Answer& answer) {
            if (answer.is_final()) self.waiting_.erase({number, answer.id.value});
            self.answer(number, answer);
        });
    // A time in the future counts as now.
    const double now = strand_.loop().clock().boot_seconds();
    const double given = std::min(session.given_here().value_or(now - to_seconds(stalls_.gap())), now);
    submit_(
        {.peer = *session.peer(),
         .command = command,
         .reply = [&strand = strand_, reply](
                      const link::Answer& answer) { strand.post_here([reply, answer] { reply(answer); }); },
         .given = given});
}

void LocalControl::answer(std::uint64_t session, const link::Answer& answer) {
    const auto found = sessions_.find(session);
    if (found != sessions_.end()) found->second->send(answer);
}

void LocalControl::refuse_waiting() {
    for (const auto& [session, id] : std::exchange(waiting_, {})) {
        buffers_.close_session(session);  // so that main does not carry it out later
        answer(session, link::Answer::refused({id}, {link::Refusal::failed,
                                                     "the robot hangs (main is silent) and is stopped; "
                                                     "wait, or start it again"}));
    }
}

void LocalControl::forget(std::uint64_t number) {
    buffers_.close_session(number);
    // Not within its own call.
    strand_.loop().post(self_.bind([number](LocalControl& self) {
        self.sessions_.erase(number);
        std::erase_if(self.waiting_, [number](const auto& each) { return each.first == number; });
    }));
}

}  // namespace caribou::robot
