#include "robot/link_session.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace caribou::robot {

LinkSession::LinkSession(std::uint64_t number, std::unique_ptr<Stream> stream, Handlers& handlers)
    : number_(number), stream_(std::move(stream)), handlers_(handlers) {
    stream_->attach(*this);
}

void LinkSession::on_readable() {
    if (ended_) return;
    if (auto read = read_some(); !read && !ended_) {
        if (read.error().code != Code::closed) send(link::Goodbye{read.error().message});
        end(read.error().message);
    }
}

Result<void> LinkSession::read_some() {
    std::array<std::byte, 16_KiB> scratch;
    const auto size = stream_->read(scratch);
    if (!size) return fail(size.error());
    reader_.add(ByteView(scratch).first(*size));
    while (!ended_) {
        auto message = reader_.next();
        if (!message) return fail(std::move(message.error()));
        if (!*message) break;
        if (auto taken = take(std::move(**message)); !taken) return taken;
    }
    return {};
}

Result<void> LinkSession::take(link::LinkMessage message) {
    if (const auto* auth = std::get_if<link::Auth>(&message)) {
        if (peer_) return fail(Code::wrong_state, "AUTH was sent twice");
        is_station_ = !auth->send_to.empty();
        return handlers_.on_auth(*this, *auth);
    }
    if (!peer_) return fail(Code::wrong_state, "AUTH must be the first message");
    handlers_.on_heard(*this);
    if (const auto* command = std::get_if<link::Command>(&message)) {
        handlers_.on_command(*this, *command);
        // A full stop may overtake a command whose time has arrived.
        if (command->code != link::CommandCode::full_stop) given_ = 0;
    } else if (const auto* beat = std::get_if<link::Heartbeat>(&message)) {
        take(*beat);
    } else if (const auto* goodbye = std::get_if<link::Goodbye>(&message)) {
        end(goodbye->why);
    } else if (const auto* piece = std::get_if<link::TopicPiece>(&message)) {
        return take_topic(*piece);
    } else {
        return fail(Code::malformed, "only a robot sends such a message");
    }
    return {};
}

Result<void> LinkSession::take_topic(const link::TopicPiece& piece) {
    if (!topics_)
        topics_ = handlers_.join_topics(
            *this, outbox_,
            {.flush = [this] { flush(); }, .fail = [this](const std::string& why) { end(why); }});
    if (!topics_) return fail(Code::refused, "there are no topics on this connection");
    return topics_->take(piece);
}

void LinkSession::take(const link::Heartbeat& beat) {
    if (beat.sent <= 0) return;
    given_ = beat.heard > 0 ? 0 : beat.sent;
    if (beat.heard <= 0 && heard_ > 0) return;
    heard_ = beat.sent;
    heard_at_ = handlers_.now();
    if (beat.heard <= 0) return;
    clock_.learn(beat.heard, beat.sent, heard_at_);
    round_trip_ = {beat.heard, beat.sent, heard_at_};
}

std::optional<double> LinkSession::given_here() const {
    if (given_ <= 0) return std::nullopt;
    if (!round_trip_) return given_;
    const auto& [sent, replied, received] = *round_trip_;
    if (sent <= replied && replied <= received) return given_;
    return given_ - (replied - sent);
}

std::optional<Duration> LinkSession::age() const {
    const double theirs = given_ > 0 ? given_ : heard_;
    const auto ours = theirs > 0 ? clock_.ours_at(theirs) : std::nullopt;
    if (!ours) return std::nullopt;
    double age = handlers_.now() - *ours;
    if (given_ <= 0) age -= to_seconds(link::beat_before_command);
    // Earlier versions reply to a heartbeat up to one second later: their round trips are that uncertain.
    if (theirs > link::latest_boot_time) age -= clock_.uncertainty();
    // A command from the future counts from its arrival, like one without a time.
    if (age < -future_tolerance - clock_.uncertainty()) return std::nullopt;
    return from_seconds(std::max(0.0, age));
}

void LinkSession::beat() {
    const double now = handlers_.now();
    send(link::Heartbeat{++beats_, now, heard_ > 0 ? heard_ + (now - heard_at_) : 0});
}

void LinkSession::send(const link::LinkMessage& message) {
    if (ended_) return;
    outbox_.add(link::frame_of(message));
    if (outbox_.bytes() > max_backlog) return end("it does not take its answers");
    flush();
}

void LinkSession::set_deaf(bool deaf) {
    deaf_ = deaf;
    stream_->set_reading(!deaf);
    flush();
}

void LinkSession::flush() {
    if (ended_ || deaf_) return;
    if (auto flushed = outbox_.flush(*stream_); !flushed) end(flushed.error().message);
}

void LinkSession::dismiss(const std::string& why) {
    send(link::Goodbye{why});
    end(why);
}

void LinkSession::end(const std::string& why) {
    if (std::exchange(ended_, true)) return;
    handlers_.on_end(*this, why);
}

}  // namespace caribou::robot
