#include "robot/inner_link.hpp"

#include <array>
#include <utility>

#include "link/message.hpp"

namespace caribou::robot {
namespace {

using namespace std::chrono_literals;

constexpr Duration call_period = 200ms;

}  // namespace

InnerLink::InnerLink(Strand& strand, Network& network, RobotBuffers& buffers, Log& log, Hooks hooks,
                     Options options)
    : strand_(strand),
      network_(network),
      buffers_(buffers),
      hooks_(std::move(hooks)),
      options_(std::move(options)),
      topics_(strand.loop()),
      views_(strand, topics_, options_.robot, hooks_.ask_view, log),
      handlers_{
          .on_auth = [this](LinkSession& from, const link::Auth& auth) -> Result<void> {
              welcome(from, auth);
              return {};
          },
          .on_command = [this](LinkSession& from, const link::Command& command) { pass_on(from, command); },
          .on_heard = [](LinkSession&) {},
          .now = [this] { return strand_.loop().clock().boot_seconds(); },
          .on_end = [this](LinkSession& from, const std::string&) { forget(from); },
          .join_topics =
              [this](LinkSession& from, link::FrameOutbox& outbox, views::TopicLine::Handlers handlers) {
                  return std::make_unique<views::TopicLine>(strand_.loop(), topics_, from.peer()->name,
                                                            outbox, std::move(handlers));
              },
      },
      telemetry_buffer_event_(strand, [this] { on_telemetry(); }),
      reports_(strand, RobotBuffers::most_errors, WhenFull::drop_oldest, [this] { on_reports(); }),
      calls_(strand.loop().make_timer([this] { call(); })),
      self_(std::make_shared<InnerLink*>(this)) {
    buffers_.telemetry_buffer_event.push_back(&telemetry_buffer_event_);
    buffers_.inner_reports = &reports_;
}

Result<void> InnerLink::start() {
    auto listener =
        network_.listen(Address::ip("127.0.0.1", 0), [this](auto stream) { accept(std::move(stream)); });
    if (!listener) return fail(std::move(listener.error()));
    listener_ = std::move(*listener);
    auto datagram = network_.bind(Address::ip("127.0.0.1", 0), [this] {
        // Replies are not expected.
        std::array<std::byte, link::LinkLimits::datagram> scratch{};
        std::ignore = datagram_->receive(scratch);
    });
    if (!datagram) return fail(std::move(datagram.error()));
    datagram_ = std::move(*datagram);
    views_.start();
    calls_->arm(strand_.loop().clock().now());
    return {};
}

void InnerLink::send(const link::DatagramMessage& message) {
    std::ignore = datagram_->send(options_.station, link::datagram_of(++number_, message));
}

void InnerLink::call() {
    if (session_) return;
    send(link::ConnectToMe{options_.robot, listener_->address().port});
    calls_->arm(strand_.loop().clock().now() + call_period);
}

void InnerLink::accept(std::unique_ptr<Stream> stream) {
    if (!session_)
        session_ = std::make_unique<LinkSession>(buffers_.open_session(), std::move(stream), handlers_);
}

void InnerLink::welcome(LinkSession& session, const link::Auth& auth) {
    session.known_as({.name = auth.name, .role = auth.role, .session = session.number(), .key = "own page"});
    session.send(link::Welcome{options_.robot, auth.role, session.number()});
    session.beat();
}

void InnerLink::pass_on(LinkSession& session, const link::Command& command) {
    hooks_.submit({.peer = *session.peer(),
                   .command = command,
                   .reply =
                       [&strand = strand_, self = std::weak_ptr(self_)](const link::Answer& answer) {
                           strand.post_here([self, answer] {
                               const auto alive = self.lock();
                               if (alive && (*alive)->session_) (*alive)->session_->send(answer);
                           });
                       },
                   .given = strand_.loop().clock().boot_seconds() -
                            to_seconds(session.age().value_or(Duration::zero()))});
}

void InnerLink::forget(const LinkSession& session) {
    buffers_.close_session(session.number());
    // Not within its own call.
    strand_.loop().post([self = std::weak_ptr(self_)] {
        if (const auto alive = self.lock()) (*alive)->session_.reset();
    });
    calls_->arm(strand_.loop().clock().now() + call_period);
}

void InnerLink::beat() {
    strand_.post_here([self = std::weak_ptr(self_)] {
        const auto alive = self.lock();
        if (alive && (*alive)->session_) (*alive)->session_->beat();
    });
}

void InnerLink::on_telemetry() {
    std::ignore = telemetry_buffer_event_.take();
    const auto round = buffers_.telemetry_buffer.copy();
    if (round && session_) send(round->summary);
}

void InnerLink::on_reports() {
    while (auto report = reports_.pop()) send(link::ErrorReport{std::move(*report)});
}

}  // namespace caribou::robot
