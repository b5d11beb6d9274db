#include "robot/thread_receiver.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace caribou::robot {
namespace {

/// Delay before it stops listening, so that the answer is sent.
constexpr Duration farewell_time = std::chrono::milliseconds(200);
/// Minimum time between two notifications of main that the station was received, so that a peer cannot fill
/// main's queue.
constexpr Duration heard_period = std::chrono::milliseconds(20);

/// Returns the key for counting failures: host and key id, so that other peers of the host are not affected.
std::string who_is(const LinkSession& session) {
    const auto address = Address::parse(session.address());
    const std::string host = address ? address->host : session.address();
    const link::SecuredStream* const stream = session.secured();
    return stream ? fmt::format("{} with key {}", host, to_string(stream->key())) : host;
}

/// Returns EXPIRED for a movement or a release, which state when they were given, beyond their maximum age,
/// and for another command beyond the limit. A full stop and a halt do not expire.
std::optional<link::Objection> objection_to_age(const link::Command& command, Duration age, Duration limit) {
    if (link::states_given(command.code)) return link::objection_to_age(command, age);
    if (command.code == link::CommandCode::full_stop || age <= limit) return std::nullopt;
    return link::Objection{
        link::Refusal::expired,
        fmt::format("it is {:.1f} s old; at most {:.1f} s are allowed", to_seconds(age), to_seconds(limit))};
}

}  // namespace

ThreadReceiver::ThreadReceiver(Strand& strand, Network& network, motion::MotionControl& motion,
                               RobotBuffers& buffers, Log& log, Options options)
    : strand_(strand),
      network_(network),
      motion_(motion),
      buffers_(buffers),
      log_(log),
      options_(std::move(options)),
      topics_(strand.loop()),
      handlers_{
          .on_auth = [this](LinkSession& from, const link::Auth& auth) { return welcome(from, auth); },
          .on_command = [this](LinkSession& from, const link::Command& command) { pass_on(from, command); },
          .on_heard =
              [this](LinkSession& from) {
                  if (from.number() == station_) on_station_heard();
              },
          .now = [this] { return strand_.loop().clock().boot_seconds(); },
          .on_end = [this](LinkSession& from, const std::string& why) { forget(from, why); },
          .join_topics =
              [this](LinkSession& from, link::FrameOutbox& outbox, views::TopicLine::Handlers handlers) {
                  return std::make_unique<views::TopicLine>(strand_.loop(), topics_, from.peer()->name,
                                                            outbox, std::move(handlers));
              },
      },
      answers_(std::make_shared<StrandInbox<Outgoing>>(strand, 1024, WhenFull::refuse,
                                                       [this] { send_answers(); })),
      proof_(strand.loop().make_timer([this] { prove(); })),
      stalls_(strand.loop().clock()),
      turn_(strand.loop().make_timer([this] { turn(); })),
      deaf_(strand.loop().make_timer([this] { change_hearing(); })) {}

ThreadReceiver::~ThreadReceiver() = default;

void ThreadReceiver::start() {
    ThreadStarted note{.who = ThreadName::receiver, .outcome = open()};
    if (listener_) note.port = listener_->address().port;
    buffers_.note(std::move(note));
    prove();
    turn();
}

void ThreadReceiver::turn() {
    stalls_.turn();
    // Often enough for DutyWatch.
    buffers_.prove_alive_between_rounds(ThreadName::receiver, strand_.loop().clock().now());
    turn_->arm(strand_.loop().clock().now() + StallWatch::turn_period);
}

Result<void> ThreadReceiver::open() {
    auto listener =
        network_.listen(options_.at, [this](std::unique_ptr<Stream> stream) { accept(std::move(stream)); });
    if (!listener) return fail(std::move(listener.error()));
    listener_ = std::move(*listener);
    options_.at = listener_->address();  // the same port when it listens again
    return {};
}

void ThreadReceiver::stop(const std::string& why) {
    proof_->cancel();
    turn_->cancel();
    send_answers();
    close(why);
}

void ThreadReceiver::close(const std::string& why) {
    listener_.reset();
    for (const auto& [number, session] : sessions_) session->dismiss(why);
    sessions_.clear();
}

void ThreadReceiver::listen(bool listens) {
    strand_.post_here([this, listens] {
        if (!listens)
            close("the robot listens no more");
        else if (!listener_)
            if (const auto opened = open(); !opened) log_.error(opened.error().message);
    });
}

void ThreadReceiver::accept(std::unique_ptr<Stream> stream) {
    const std::uint64_t number = buffers_.open_session();
    auto session = std::make_unique<LinkSession>(number, std::move(stream), handlers_);
    LinkSession& added = *session;
    sessions_.emplace(number, std::move(session));
    unknown_[number] = strand_.loop().clock().now() + options_.auth_limit;
    if (is_deaf_) added.set_deaf(true);
    // Numbers increase: the first is the oldest.
    if (unknown_.size() > options_.max_unfinished)
        sessions_.at(unknown_.begin()->first)
            ->dismiss("too many connections without AUTH, and this one is the oldest");
}

Result<void> ThreadReceiver::seat(link::Role role) {
    std::vector<link::Seat> seats;
    for (const auto& [number, session] : sessions_)
        if (session->peer() && !session->ended() && number != station_)
            seats.push_back({number, session->peer()->role, session->active()});
    const link::Seating seating = link::seat_one_more(seats, role, options_.consoles);
    if (!seating.admitted) return fail(Code::limit_exceeded, "too many connections");
    if (seating.closes)
        sessions_.at(*seating.closes)->dismiss("too many connections, and this one was idle longest");
    return {};
}

Result<void> ThreadReceiver::welcome(LinkSession& session, const link::Auth& auth) {
    if (auth.name.empty()) return fail(Code::invalid_argument, "who comes has a name");
    auto peer = identify(session, auth);
    if (!peer) return fail(std::move(peer.error()));
    peer->from = session.address();
    auto place = session.is_station() ? welcome_station(session, *peer, auth) : seat(peer->role);
    if (!place) return place;
    unknown_.erase(session.number());
    attempts_.succeeded(who_is(session));
    const link::Role role = peer->role;
    session.known_as(std::move(*peer));
    session.send(link::Welcome{options_.robot, role, session.number()});
    session.beat();  // the reply measures the offset of the clocks
    return {};
}

Result<Peer> ThreadReceiver::identify(const LinkSession& session, const link::Auth& auth) {
    if (!options_.trust) return Peer{auth.name, auth.role, session.number()};
    const link::SecuredStream* const stream = session.secured();
    if (!stream) return fail(Code::refused, "this robot speaks to those who have proven a key");
    auto key = options_.trust->admit(stream->key());
    if (!key) return fail(std::move(key.error()));
    // If all peers have the same key, it does not identify them.
    return Peer{.name = options_.trust->shares_folder() ? auth.name : key->name,
                .role = std::min(auth.role, key->role),
                .session = session.number(),
                .key = to_string(stream->key())};
}

Result<void> ThreadReceiver::welcome_station(LinkSession& session, const Peer& peer, const link::Auth& auth) {
    if (station_ != 0)
        return fail(Code::refused,
                    fmt::format("{} is this robot's station already", sessions_.at(station_)->peer()->name));
    const auto send_to = telemetry_address(session, auth.send_to);
    if (!send_to) return fail(send_to.error());
    StationArrived arrived{
        .at = strand_.loop().clock().now(), .send_to = *send_to, .seal = {.station = peer}};
    if (const link::SecuredStream* const stream = session.secured(); stream && options_.trust) {
        const auto key = options_.trust->admit(stream->key());
        if (auto claimed = key ? options_.trust->claim(*key) : Result<void>(fail(key.error())); !claimed)
            return claimed;
        arrived.seal.session = {{session.number()}, stream->derive(link::datagram_purpose)};
        arrived.seal.key = stream->key();
    }
    station_ = session.number();
    station_heard_ = strand_.loop().clock().now();
    log_.info(fmt::format("station {} is connected, telemetry goes to {}", peer.name, to_string(*send_to)));
    buffers_.note(std::move(arrived));
    return {};
}

Result<Address> ThreadReceiver::telemetry_address(const LinkSession& session,
                                                  const std::string& wanted) const {
    auto address = Address::parse(wanted);
    if (!address) return address;
    // A station that listens on all addresses has the address that it connects from.
    const auto from = Address::parse(session.address());
    if (from && (address->host == "0.0.0.0" || address->host == "::")) address->host = from->host;
    if (!options_.trust && !options_.plain_afar && !address->is_loopback())
        return fail(Code::refused, fmt::format("{} is not on this machine, and the link is plain", wanted));
    return address;
}

void ThreadReceiver::refuse(const LinkSession& session, const std::string& why) {
    const std::string who = who_is(session);
    const std::string text = fmt::format("{} was refused: {}", who, why);
    if (attempts_.failed(who, strand_.loop().clock().now())) log_.warning(text);
    buffers_.refused(text);
}

void ThreadReceiver::pass_on(LinkSession& session, const link::Command& command) {
    // After a hang, a command may be read before the timers are due. A release needs a receiver that runs.
    buffers_.prove_alive_between_rounds(ThreadName::receiver, strand_.loop().clock().now());
    const auto cause = session.is_station() ? motion::StopCause::station : motion::StopCause::operator_;
    const bool is_stop = command.code == link::CommandCode::full_stop;
    const StationStop its{session.number(), command.id.value};
    // A stop that came as a datagram before stops again, but a release that was given since is good.
    const StationStop newest = buffers_.station_stop.copy();
    const bool is_known = session.is_station() && newest.session == its.session && newest.id >= its.id;
    if (is_stop && is_known)
        motion_.full_stop(cause);
    else if (is_stop)
        buffers_.stop_now(motion_, cause, strand_.loop().clock());
    const Duration age = session.age().value_or(stalls_.gap());
    if (auto objection = objection_to_age(command, age, options_.late_limit))
        return session.send(link::Answer::refused(command.id, std::move(*objection)));
    session.set_active(strand_.loop().clock().now());
    Request request{.peer = *session.peer(),
                    .command = command,
                    .given = strand_.loop().clock().boot_seconds() - to_seconds(age),
                    .stop_cause = cause};
    request.reply = [answers = std::weak_ptr(answers_),
                     number = session.number()](const link::Answer& answer) {
        if (const auto inbox = answers.lock()) std::ignore = inbox->push({number, answer});
    };
    if (has_room(session, is_stop) && buffers_.submit(std::move(request))) {
        if (is_stop && session.is_station()) buffers_.add_stop(its);
        return session.add_open_command();
    }
    session.send(link::Answer::refused(
        command.id, {link::Refusal::busy, is_stop ? "stopped, but too many commands wait for an answer"
                                                  : "too many commands wait for an answer"}));
}

bool ThreadReceiver::has_room(const LinkSession& session, bool is_stop) const {
    const std::size_t most = session.is_station() ? options_.max_station_commands : options_.max_commands;
    return session.open_commands() < most + (is_stop ? 4 : 0);
}

void ThreadReceiver::forget(LinkSession& session, const std::string& why) {
    const std::uint64_t number = session.number();
    unknown_.erase(number);
    // First, so that no order of it follows the loss of its link.
    buffers_.close_session(number);
    if (number == station_) {
        station_ = 0;
        motion_.link_lost();
        buffers_.note(StationLost{why});
        log_.warning(fmt::format("station {} is gone: {}", session.peer()->name, why));
    }
    if (!session.peer() && listener_) refuse(session, why);
    // Not within its own call.
    strand_.loop().post([this, number] { sessions_.erase(number); });
}

void ThreadReceiver::on_station_heard() {
    const Instant now = strand_.loop().clock().now();
    station_heard_ = now;
    if (now - heard_noted_ < heard_period) return;
    heard_noted_ = now;
    buffers_.note(StationHeard{station_, now});
}

void ThreadReceiver::send_answers() {
    while (auto outgoing = answers_->pop())
        if (const auto found = sessions_.find(outgoing->session); found != sessions_.end()) {
            if (outgoing->answer.is_final()) found->second->remove_open_command();
            found->second->send(outgoing->answer);
        }
}

void ThreadReceiver::beat() {
    strand_.post_here([this] {
        for (const auto& [number, session] : sessions_)
            if (session->peer()) session->beat();
    });
}

void ThreadReceiver::go_deaf(Duration time) {
    strand_.post_here([this, time] {
        deaf_for_ = time;
        deaf_->arm(strand_.loop().clock().now() + farewell_time);
    });
}

void ThreadReceiver::change_hearing() {
    const Duration time = std::exchange(deaf_for_, Duration::zero());
    set_deaf(time > Duration::zero());
    if (is_deaf_) deaf_->arm(strand_.loop().clock().now() + time);
}

void ThreadReceiver::set_deaf(bool deaf) {
    is_deaf_ = deaf;
    for (const auto& [number, session] : sessions_) session->set_deaf(deaf);
}

void ThreadReceiver::prove() {
    const Instant now = strand_.loop().clock().now();
    buffers_.prove_alive(ThreadName::receiver, now);
    buffers_.link_board.change([this](LinkBoard& board) {
        board.samples = topics_.stats().sent;
        board.dropped = topics_.stats().dropped;
    });
    proof_->arm(now + options_.proof);
    // A main that hangs sends no heartbeats; the link is needed to show that, and to stop the robot.
    const bool beats = buffers_.is_main_silent(now);
    for (const auto& [number, session] : sessions_) {
        if (beats && session->peer()) session->beat();
        const link::SecuredStream* const stream = session->secured();
        if (stream && session->peer() && options_.trust && !options_.trust->admit(stream->key()))
            session->dismiss("its key is not paired any more");
    }
    std::vector<LinkSession*> late;
    for (const auto& [number, until] : unknown_)
        if (now >= until) late.push_back(sessions_.at(number).get());
    for (LinkSession* const session : late) session->dismiss("no AUTH was received in time");
    // A station that disappeared silently would block all others.
    if (station_ != 0 && now - station_heard_ > options_.station_limit)
        sessions_.at(station_)->dismiss("nothing was heard any more");
}

}  // namespace caribou::robot
