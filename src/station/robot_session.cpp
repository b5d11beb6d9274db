#include "station/robot_session.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "base/check.hpp"
#include "link/command_table.hpp"
#include "link/off_goodbye.hpp"
#include "loop/duration_text.hpp"

namespace caribou::station {

using link::Answer;
using link::CommandCode;
using link::Objection;
using link::Refusal;

RobotSession::RobotSession(std::string name, Loop& loop, RobotWays ways, const SessionSettings& settings,
                           SessionEvents& events, Log& log)
    : name_(std::move(name)),
      loop_(loop),
      ways_(ways),
      settings_(settings),
      events_(events),
      log_(log),
      stop_timer_(loop.make_timer([this] { repeat_stops(); })),
      lease_(settings.lease_limit),
      pending_(settings.pending),
      // Ids are never reused, not even by the next instance of the station.
      next_id_(static_cast<std::uint64_t>(loop.clock().unix_seconds() * 1e6)) {}

RobotSession::~RobotSession() = default;

void RobotSession::start() { enter(StationMode::wait); }

void RobotSession::enter(StationMode mode, std::string why) {
    check(may_follow(mode_, mode), "a mode follows one that it may follow");
    mode_ = mode;
    why_ = std::move(why);
    since_ = loop_.clock().now();
    events_.on_status(*this);
}

void RobotSession::cannot_connect(const std::string& why) {
    if (mode_ != StationMode::wait || why_ == why) return;
    why_ = why;
    events_.on_status(*this);
}

// The connection.

bool RobotSession::called(const Address& from, std::uint16_t receive_port, const link::SecretKey* key) {
    const Instant now = loop_.clock().now();
    // A robot that calls although it is connected has lost the connection, if it has been silent on it.
    if (is_silent(now)) on_readable();
    if (is_silent(now)) lose_link("it called again, and was silent on its connection");
    if (mode_ != StationMode::wait) return false;
    // A robot that was restarted at another address is connected to at once.
    const Address to = Address::ip(from.host, receive_port);
    const bool has_moved = std::exchange(address_, to) != to;
    if (!has_moved && now < next_dial_) return false;
    last_heard_ = now;
    enter(StationMode::shake);
    if (key)
        stream_ = ways_.secured->connect(*address_, *key, *this);
    else
        stream_ = ways_.plain.connect(*address_, *this);
    return true;
}

void RobotSession::on_open() { write(link::Auth{settings_.station, settings_.role, settings_.send_to}); }

void RobotSession::on_connect_failed(const Error& why) { lose_link(why); }

void RobotSession::on_readable() {
    std::array<std::byte, 16_KiB> bytes;
    const auto size = stream_->read(bytes);
    if (!size) return lose_link(size.error());
    reader_.add(ByteView(bytes).first(*size));
    while (stream_) {
        auto message = reader_.next();
        if (!message) return lose_link(message.error().message);
        if (!*message) return;
        last_heard_ = loop_.clock().now();
        heard_at_ = last_heard_;
        take(**message);
    }
}

void RobotSession::on_writable() { flush(); }

void RobotSession::write(const link::LinkMessage& message, bool first) {
    if (first)
        outbox_.add_first(frame_of(message));
    else
        outbox_.add(frame_of(message));
    flush();
}

void RobotSession::flush() {
    if (!stream_) return;
    if (auto done = outbox_.flush(*stream_); !done) lose_link(done.error());
}

void RobotSession::take(const link::LinkMessage& message) {
    if (const auto* goodbye = std::get_if<link::Goodbye>(&message)) {
        off_reason_ = link::off_reason_in(goodbye->why);
        off_at_ = loop_.clock().now();
        const std::string& why = off_reason_ ? *off_reason_ : goodbye->why;
        return lose_link(why.empty() ? "the robot has ended the connection" : why);
    }
    if (mode_ == StationMode::shake) {
        if (const auto* w = std::get_if<link::Welcome>(&message)) return welcome(*w);
        return lose_link("the robot spoke before it welcomed us");
    }
    if (const auto* beat = std::get_if<link::Heartbeat>(&message)) {
        robot_beat_at_ = loop_.clock().boot_seconds();
        offset_.learn(beat->sent, beat->heard, robot_beat_at_);
        // The first is answered at once, so that the robot knows our clock before the first command.
        const bool is_first = std::exchange(last_sent_by_robot_, beat->sent) == 0;
        if (is_first) this->beat(loop_.clock().now());
        if (!telemetry_ || stale_) events_.on_status(*this);
    } else if (const auto* answer = std::get_if<Answer>(&message)) {
        heard(*answer);
    } else if (const auto* piece = std::get_if<link::TopicPiece>(&message); piece && topic_line_) {
        if (auto taken = topic_line_->take(*piece); !taken) lose_link(taken.error().message);
    } else {
        lose_link("the robot sent a message that only stations send");
    }
}

void RobotSession::welcome(const link::Welcome& welcome) {
    if (welcome.robot != name_)
        return lose_link(fmt::format("it called itself {}, and is {}", name_, welcome.robot));
    if (const link::SecuredStream* const stream = link::secured(*stream_)) {
        const link::SecretKey secret = stream->derive(link::datagram_purpose);
        opener_.emplace(link::SessionMark{welcome.session}, secret, link::Direction::to_station);
        stop_sealer_.emplace(link::SessionMark{welcome.session}, secret, link::Direction::to_robot);
    }
    complaint_.clear();
    pause_ = {};
    role_ = welcome.role;
    was_connected_ = true;
    if (telemetry_) {
        earlier_telemetry_ = std::exchange(telemetry_, std::nullopt);
        earlier_telemetry_at_ = telemetry_at_;
    }
    acknowledged_.connected();
    off_reason_.reset();
    reported_off_.reset();
    reports_state_ = true;
    repeats_telemetry_ = true;
    stale_ = false;
    last_sent_by_robot_ = 0;
    offset_ = {};
    clock_ahead_.reset();
    if (topics_) join_topics();
    enter(StationMode::run1);
    beat(loop_.clock().now());
}

negotiation::Transport& RobotSession::topics() {
    if (!topics_) {
        topics_ = std::make_unique<negotiation::SessionTransport>(loop_);
        if (is_running(mode_)) join_topics();
    }
    return *topics_;
}

void RobotSession::join_topics() {
    topic_line_ = std::make_unique<views::TopicLine>(
        loop_, *topics_, name_, outbox_,
        views::TopicLine::Handlers{.flush = [this] { flush(); },
                                   .fail = [this](const std::string& why) { lose_link(why); }});
}

void RobotSession::lose_link(const Error& error) {
    if (!stream_) return;
    // The message of a socket names addresses; people want to know what it means for the robot.
    const auto plain = [&]() -> std::string {
        switch (error.code) {
            case Code::closed: return "its program has ended, or has closed the connection";
            case Code::timed_out:
            case Code::unreachable: return "it cannot be reached: its program or the network is down";
            default: return error.message;
        }
    }();
    if (plain != error.message) log_.info(fmt::format("{}: {}", name_, error.message));
    lose_link(plain, error.code != Code::timed_out && error.code != Code::unreachable);
}

void RobotSession::lose_link(std::string why, bool refused) {
    if (!stream_) return;
    topic_line_.reset();
    stream_.reset();
    reader_ = {};
    outbox_.clear();
    lease_.release(lease_.holder());
    if (!telemetry_ && earlier_telemetry_) {
        telemetry_ = std::exchange(earlier_telemetry_, std::nullopt);
        telemetry_at_ = earlier_telemetry_at_;
        stale_ = true;
        events_.on_telemetry(*this);
    }
    if (mode_ == StationMode::shake) {
        failed_handshakes_ += refused ? 1 : 0;
        next_dial_ = loop_.clock().now() + pause_;
        pause_ = std::clamp(pause_ * 2, first_pause, longest_pause);
    }
    if (is_running(mode_))
        log_.warning(fmt::format("{}: link lost: {}", name_, why));
    else if (std::exchange(complaint_, why) != why)
        log_.warning(fmt::format("{}: no connection: {}", name_, why));
    enter(StationMode::wait, why);
    // Full stops go on as datagrams for a while.
    for (SentStop& stop : stops_)
        if (!stop.until) stop.until = loop_.clock().now() + stop_patience;
    pending_.refuse_all(
        {Refusal::unavailable, fmt::format("the link was lost before {} reported a result: {}", name_, why)},
        [this](link::CommandId id) { return std::ranges::find(stops_, id, &SentStop::id) != stops_.end(); });
}

std::optional<link::KeyId> RobotSession::key() const {
    const link::SecuredStream* const stream = is_running(mode_) ? link::secured(*stream_) : nullptr;
    return stream ? std::optional(stream->key()) : std::nullopt;
}

void RobotSession::hang_up(std::string_view why) {
    if (!is_running(mode_)) return;
    write(link::Goodbye{std::string(why)});
    lose_link(std::string(why));
}

// Time.

void RobotSession::tick() {
    const Instant now = loop_.clock().now();
    check_link(now);
    check_staleness(now);
    tend_stop(now);
    if (!is_running(mode_)) return;
    pending_.expire(now);
    ask_state(now);
    if (lease_.expire(now)) {
        say(CommandCode::release_lease);
        events_.on_status(*this);
    }
}

void RobotSession::check_link(Instant now) {
    if (mode_ == StationMode::shake && now - since_ >= settings_.shake_limit)
        return lose_link(fmt::format("no welcome within {}", duration_text(settings_.shake_limit)), false);
    // After a stall of this program the robot's goodbye may wait to be read. Writing to the connection that
    // it has closed would discard that.
    if (is_silent(now)) on_readable();
    if (!is_running(mode_)) return;
    if (now - last_heard_ >= settings_.link_limit)
        return lose_link(fmt::format("nothing heard for {}", duration_text(settings_.link_limit)));
    if (now - last_heartbeat_ >= settings_.heartbeat) beat(now);
}

bool RobotSession::is_silent(Instant now) const {
    return is_running(mode_) && now - last_heard_ > settings_.heartbeat * 3 / 2;
}

void RobotSession::beat(Instant now) {
    last_heartbeat_ = now;
    const double sent = loop_.clock().boot_seconds();
    const double heard = last_sent_by_robot_ > 0 ? last_sent_by_robot_ + (sent - robot_beat_at_) : 0;
    write(link::Heartbeat{++heartbeats_, sent, heard});
}

// Telemetry.

Result<Bytes> RobotSession::open(ByteView datagram) {
    if (opener_) return opener_->open(datagram);
    return fail(Code::wrong_state, fmt::format("a datagram of a session that {} does not have", name_));
}

namespace {

/// Returns when telemetry was collected, by the clock that the robot's heartbeats use: the time of day in
/// earlier versions.
double sent_at(const link::Telemetry& telemetry) {
    return telemetry.boot_stamp > 0 ? telemetry.boot_stamp : telemetry.stamp;
}

/// Robots send telemetry at least once per this time.
constexpr double longest_period = 10;
/// Telemetry that was sent this long after a goodbye is that of a robot that was started again. The times of
/// sending are known up to the delays of the link.
constexpr Duration start_margin = std::chrono::milliseconds(500);

/// Returns the period of telemetry of a robot that does not state it, computed from round numbers because
/// datagrams may be lost.
Duration period_between(const link::Telemetry& before, const link::Telemetry& after) {
    const double seconds =
        (sent_at(after) - sent_at(before)) / static_cast<double>(after.number - before.number);
    return from_seconds(std::clamp(seconds, 0.0, longest_period));
}

}  // namespace

void RobotSession::heard(const link::Telemetry& telemetry) {
    const Instant now = loop_.clock().now();
    if (telemetry_ && telemetry.number <= telemetry_->number) {
        // Out of order, or duplicate; or the robot was restarted, which only a connection would show.
        if (is_running(mode_) || now - telemetry_received_ < settings_.link_limit) return;
        telemetry_.reset();
        offset_ = {};
    }
    // The number counts from the start of the robot's program; a late datagram has an earlier time, too.
    if (life_ == 0 || (telemetry.number < last_number_ && telemetry.stamp > last_stamp_)) ++life_;
    last_number_ = telemetry.number;
    last_stamp_ = telemetry.stamp;
    telemetry_received_ = now;
    const double boot_now = loop_.clock().boot_seconds();
    offset_.learn(sent_at(telemetry), boot_now);
    const double age = offset_.lateness(sent_at(telemetry), boot_now);
    clock_ahead_ = telemetry.stamp - (loop_.clock().unix_seconds() - age);
    if (telemetry.period > 0) {
        period_ = from_seconds(std::min<double>(telemetry.period, longest_period));
    } else if (telemetry_) {
        const Duration latest = period_between(*telemetry_, telemetry);
        period_ = std::min(latest, std::exchange(last_period_, latest));
    }
    telemetry_ = telemetry;
    telemetry_at_ = now - from_seconds(age);
    stale_ = false;
    // A robot in RM0 enters another mode only by being started again.
    if (telemetry.run_mode != link::RunMode::rm0 && telemetry_at_ > off_at_ + start_margin) {
        off_reason_.reset();
        reported_off_.reset();
    }
    if (telemetry.stopped) unconfirmed_stop_.stopped_at(telemetry_at_);
    events_.on_telemetry(*this);
}

void RobotSession::heard(const Answer& answer) {
    if (pending_.take(answer, loop_.clock().now())) events_.on_answer(*this, answer);
}

void RobotSession::heard(const link::ErrorReport& report) {
    if (auto why = link::off_reason_in_report(report.text)) reported_off_ = std::move(why);
    events_.on_report(*this, report.text);
}

std::optional<std::string> RobotSession::off_reason() const {
    if (off_reason_ || !telemetry_ || telemetry_->run_mode != link::RunMode::rm0) return off_reason_;
    return reported_off_;
}

std::optional<data::RobotStatus> RobotSession::reported() const {
    if (!telemetry_) return std::nullopt;
    data::RobotStatus status = *telemetry_;
    if (const auto stopped = acknowledged_stop()) status.stopped = stopped->value;
    if (const auto acknowledged = acknowledged_mode()) {
        status.run_mode = acknowledged->value.mode;
        status.waits_for = acknowledged->value.waits_for;
    }
    if (off_reason_) {
        status.run_mode = link::RunMode::rm0;
        status.waits_for.reset();
    }
    return status;
}

bool RobotSession::lives_without_telemetry() const {
    if (!is_running(mode_) || !stale_) return false;
    // A heartbeat of before shows nothing: a robot that froze has sent it, too.
    return !telemetry_ || (heard_at_ && *heard_at_ >= telemetry_at_ + stale_after());
}

data::Presence RobotSession::presence() const {
    const bool connected = is_running(mode_);
    const bool fresh = telemetry_ && !stale_;
    const auto status = reported();
    const auto acknowledged = acknowledged_mode();
    const bool is_off = off_reason_    ? true
                        : status       ? status->run_mode == link::RunMode::rm0
                        : acknowledged ? acknowledged->value.mode == link::RunMode::rm0
                                       : false;
    // A sleeper that was connected stays so, because it can be woken.
    if (status && status->waits_for == link::WaitReason::timed_sleep &&
        (connected || !link::directions_of(status->com_mode).receiving))
        return data::Presence::asleep;
    if (is_off && (!connected || !fresh)) return data::Presence::off;
    if (connected && fresh) return data::Presence::live;
    if (fresh) return data::Presence::telemetry_only;
    if (lives_without_telemetry()) return data::Presence::no_telemetry;
    if (connected && !stale_) return data::Presence::unknown;
    return telemetry_ || was_connected_ ? data::Presence::lost : data::Presence::unknown;
}

void RobotSession::ask_state(Instant now) {
    if (!stale_ || !reports_state_ || asks_state_ || now - asked_state_at_ < settings_.heartbeat) return;
    asks_state_ = true;
    asked_state_at_ = now;
    link::Command question{.id = {next_id_++}, .code = CommandCode::status, .arguments = {{"brief", "true"}}};
    // The telemetry by which a sleeper shows its sleep was lost on the way.
    const bool for_telemetry = !telemetry_ && repeats_telemetry_;
    if (for_telemetry) question.arguments.push_back({"telemetry", "true"});
    transmit(question, [this, for_telemetry](const Answer& answer) {
        if (!answer.is_final()) return;
        asks_state_ = false;
        // Robots of earlier versions do not know the arguments.
        if (answer.refusal == Refusal::bad_argument)
            (for_telemetry ? repeats_telemetry_ : reports_state_) = false;
    });
}

void RobotSession::check_staleness(Instant now) {
    const Instant last = telemetry_ ? telemetry_at_ : since_;
    if (stale_ || now - last < stale_after()) return;
    stale_ = true;
    events_.on_telemetry(*this);
    if (mode_ != StationMode::run2) return;
    disengage_autopilot("telemetry has become stale");
    say(CommandCode::full_stop);
}

// Commands.

void RobotSession::send(link::Command command, const Asker& asker, AnswerHandler on_answer, Duration age) {
    command.id = {next_id_++};
    events_.on_command(*this, command, asker);
    if (command.code == CommandCode::full_stop && !link::objection_to(command))
        on_answer = follow_stop(asker, std::move(on_answer));
    auto objection = objection_to(command, asker);
    if (!objection) objection = claim_lease(command, asker);
    // The send may have detected that the connection is lost.
    if (!objection && !is_running(mode_) && !is_stop_by_datagram(command))
        objection = {Refusal::unavailable, fmt::format("the link is lost: {}", why_)};
    if (!objection) return transmit(command, std::move(on_answer), age);
    const Answer answer = Answer::refused(command.id, std::move(*objection));
    on_answer(answer);
    events_.on_answer(*this, answer);
}

std::optional<Objection> RobotSession::objection_to(const link::Command& command, const Asker& asker) {
    if (auto objection = link::objection_to(command)) return objection;
    const bool is_stop = command.code == CommandCode::full_stop;
    const link::CommandRow& row = *link::find_command(command.code);
    if (!link::may(asker.role, row.needs) && !link::is_halt(command))
        return Objection{Refusal::not_allowed,
                         fmt::format("{} needs the role {}, and {} has {}", row.name, to_string(row.needs),
                                     asker.name, to_string(asker.role))};
    if (!is_running(mode_) && !is_stop_by_datagram(command))
        return Objection{Refusal::unavailable, not_connected(is_stop)};
    // Half of the seats are for those who drive.
    const std::size_t seats = settings_.pending.most / (link::may(asker.role, link::Role::drive) ? 1 : 2);
    if (!is_stop && (pending_.size() >= seats || outbox_.bytes() > settings_.outbox))
        return Objection{Refusal::busy,
                         fmt::format("{} commands wait for an answer already", pending_.size())};
    return std::nullopt;
}

std::string RobotSession::not_connected(bool is_stop) const {
    if (presence() == data::Presence::off) {
        std::string why = off_reason().value_or("");
        std::ranges::replace(why, '_', ' ');
        return fmt::format("{} is off (RM0{}{}); start it again", name_, why.empty() ? "" : ": ", why);
    }
    if (const auto status = reported();
        status && (status->run_mode == link::RunMode::rm4 || status->run_mode == link::RunMode::rm5))
        return fmt::format("{} is rebooting", name_);
    // A robot that has called is in CM1 only until it is connected again.
    if (presence() == data::Presence::telemetry_only && telemetry_->com_mode == link::ComMode::cm1 &&
        !address_)
        return fmt::format("{} only sends telemetry (CM1), and receives no commands{}{}{}", name_,
                           why_.empty() ? "" : ": ", why_,
                           is_stop ? "; stop it with its emergency stop, or on the robot itself with "
                                     "`caribou robot stop --config FILE`"
                                   : "");
    return fmt::format("{} is not connected{}{}", name_, why_.empty() ? "" : ": ", why_);
}

namespace {

/// Returns what a person did who disengaged the autopilot by this command.
std::string_view deed_of(CommandCode code) {
    switch (code) {
        case CommandCode::full_stop: return "has stopped the robot";
        case CommandCode::dock: return "has sent the robot to its dock";
        case CommandCode::go: return "has sent the robot to a place";
        case CommandCode::take_lease: return "has taken control";
        case CommandCode::set_run_mode:
        case CommandCode::go_to_run_mode: return "has changed its run mode";
        default: return "drives";
    }
}

}  // namespace

std::optional<Objection> RobotSession::claim_lease(const link::Command& command, const Asker& asker) {
    const Instant now = loop_.clock().now();
    const bool takes = command.code == CommandCode::take_lease;
    const bool drives = link::is_motion(command.code);
    // A person who stops, drives, docks or sends the robot, or changes its run mode, disengages the
    // autopilot.
    const bool ends = command.code == CommandCode::full_stop || command.code == CommandCode::dock ||
                      command.code == CommandCode::go || command.code == CommandCode::set_run_mode ||
                      command.code == CommandCode::go_to_run_mode;
    if ((takes || drives || ends) && asker.name != autopilot)
        disengage_autopilot(fmt::format("{} {}", asker.name, deed_of(command.code)));
    if (command.code == CommandCode::release_lease && !lease_.release(asker.name))
        return Objection{Refusal::no_lease, lease_.holder().empty()
                                                ? "the lease is free"
                                                : fmt::format("{} drives", lease_.holder())};
    if (!drives && link::needs_lease(command.code) && !lease_.holder().empty() &&
        lease_.holder() != asker.name && lease_.holder() != autopilot)
        return Objection{Refusal::no_lease, fmt::format("{} drives; take_lease takes over", lease_.holder())};
    if (!takes && !drives) return std::nullopt;
    // A halt takes the lease from no one.
    if (link::is_halt(command) && lease_.holder() != asker.name) return std::nullopt;
    const std::string before = lease_.holder();
    if (auto objection = takes ? lease_.take(asker, now) : lease_.use(asker, now)) return objection;
    if (before == asker.name) return std::nullopt;
    if (drives && settings_.takes_over_by_driving) say(CommandCode::take_lease);
    if (!before.empty() && before != autopilot) {
        say(CommandCode::move, {{"movement", "HALT"}});
        events_.on_report(*this, fmt::format("{} has taken the lease from {}", asker.name, before));
    }
    events_.on_status(*this);
    return std::nullopt;
}

void RobotSession::transmit(const link::Command& command, AnswerHandler on_answer, Duration age) {
    const Instant now = loop_.clock().now();
    const bool is_stop = command.code == CommandCode::full_stop;
    pending_.add(command.id, now,
                 [this, command, now, told = std::move(on_answer)](const Answer& answer) mutable {
                     // Before the sender is told, who may look at once.
                     if (acknowledged_.learn(command, answer, loop_.clock().now())) events_.on_status(*this);
                     settle_stop(command, answer, now);
                     // Another station or page has it: nobody here holds what the robot does not grant.
                     if (answer.refusal == Refusal::no_lease && !settings_.takes_over_by_driving &&
                         lease_.release(lease_.holder()))
                         events_.on_status(*this);
                     told(answer);
                 });
    if (is_running(mode_) && !is_stop) {  // states the time of the command
        const Duration ago =
            link::states_given(command.code) && link::max_age(command) ? age : Duration::zero();
        write(link::Heartbeat{++heartbeats_, loop_.clock().boot_seconds() - to_seconds(ago), 0});
    }
    if (is_running(mode_)) write(command, is_stop);
    if (is_stop_by_datagram(command)) {
        stops_.push_back({command.id, is_running(mode_) ? std::nullopt : std::optional(now + stop_patience)});
        repeat_stops();
    }
    if (command.code == CommandCode::release_lease) events_.on_status(*this);
}

void RobotSession::say(CommandCode code, std::vector<link::Command::Argument> arguments) {
    const link::Command command{.id = {next_id_++}, .code = code, .arguments = std::move(arguments)};
    transmit(command, [this, code](const Answer& answer) {
        if (answer.refusal)
            events_.on_report(*this,
                              fmt::format("{}: {}", link::find_command(code)->name, to_string(answer)));
    });
}

std::optional<Objection> RobotSession::engage_autopilot(std::string_view by) {
    if (mode_ == StationMode::run2) return std::nullopt;
    if (mode_ != StationMode::run1)
        return Objection{Refusal::unavailable, fmt::format("{} is not connected", name_)};
    if (!telemetry_ || stale_)
        return Objection{Refusal::unavailable, fmt::format("there is no fresh telemetry of {}", name_)};
    const data::RobotStatus status = *reported();
    if (status.stopped)
        return Objection{Refusal::stopped, fmt::format("{} is stopped until it is released", name_)};
    if (status.run_mode != link::RunMode::rm3)
        return Objection{Refusal::wrong_mode,
                         fmt::format("{} is in {}, and a route needs RM3: send set_run_mode mode=3 first",
                                     name_, link::to_string(status.run_mode))};
    // A person who starts the autopilot releases the lease, but not if it does not start.
    if (!by.empty()) forget(by);
    if (auto objection = lease_.use({std::string(autopilot), link::Role::drive}, loop_.clock().now()))
        return objection;
    if (settings_.takes_over_by_driving) say(CommandCode::take_lease);
    enter(StationMode::run2);
    return std::nullopt;
}

void RobotSession::disengage_autopilot(std::string why) {
    if (mode_ != StationMode::run2) return;
    if (lease_.release(autopilot)) say(CommandCode::release_lease);
    if (mode_ == StationMode::run2) enter(StationMode::run1, std::move(why));
}

void RobotSession::forget(std::string_view asker) {
    if (!lease_.release(asker)) return;
    say(CommandCode::release_lease);
    events_.on_status(*this);
}

}  // namespace caribou::station
