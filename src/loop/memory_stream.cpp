#include "loop/memory_stream.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace caribou {
namespace {

std::size_t total_size(std::span<const ByteView> pieces) {
    std::size_t total = 0;
    for (const ByteView piece : pieces) total += piece.size();
    return total;
}

/// Calls `sink` with the first `limit` bytes of the pieces, piece by piece.
template <class Sink>
void first_bytes(std::span<const ByteView> pieces, std::size_t limit, Sink sink) {
    for (const ByteView piece : pieces) {
        const std::size_t size = std::min(piece.size(), limit);
        sink(piece.first(size));
        limit -= size;
    }
}

}  // namespace

MemoryStream::MemoryStream(std::shared_ptr<MemoryFabric> fabric, Phase phase, std::string host,
                           std::string peer_host, std::string peer_name)
    : fabric_(std::move(fabric)),
      phase_(phase),
      host_(std::move(host)),
      peer_host_(std::move(peer_host)),
      peer_name_(std::move(peer_name)),
      number_(fabric_->enrol(*this)),
      bell_(fabric_->loop(), [this] { notify(); }) {}

MemoryStream::~MemoryStream() {
    fabric_->strike_off(number_);
    part_from_peer();
}

// Connecting.

std::unique_ptr<MemoryStream> MemoryStream::connect(std::shared_ptr<MemoryFabric> fabric, std::string host,
                                                    const Address& to, StreamEvents& events) {
    fabric->wake(host);
    Place destination = fabric->place_of(host, to);
    std::unique_ptr<MemoryStream> made(
        new MemoryStream(fabric, Phase::connecting, std::move(host), destination.host, to_string(to)));
    MemoryStream& stream = *made;
    stream.destination_ = std::move(destination);
    stream.events_ = &events;
    stream.knock_ = fabric->loop().make_timer([&stream] { stream.knock(); });
    stream.knock_->arm(fabric->now() + fabric->draw_delay());
    stream.deadline_ = fabric->loop().make_timer([&stream] {
        stream.connect_failed(
            {Code::timed_out, fmt::format("no answer from {} within {} s; is it on, and the way to it open?",
                                          stream.peer_name_, to_seconds(MemoryNetwork::connect_timeout))});
    });
    stream.deadline_->arm(fabric->now() + MemoryNetwork::connect_timeout);
    return made;
}

/// The connection request arrives at the other host. If the link is cut or the host is down, there is no
/// reply.
void MemoryStream::knock() {
    if (!linked() || fabric_->is_down(peer_host_)) return;
    knock_.reset();
    const std::shared_ptr<Acceptor> acceptor = fabric_->acceptor_at(destination_);
    if (!acceptor) return expect({Parcel::Kind::refused});

    const Address from = Address::ip(host_, fabric_->any_port());
    std::unique_ptr<MemoryStream> accepted(
        new MemoryStream(fabric_, Phase::open, peer_host_, host_, to_string(from)));
    accepted->peer_ = this;
    peer_ = accepted.get();
    expect({Parcel::Kind::opened});
    acceptor->on_accept(std::move(accepted));  // may destroy this end, too: do not access members after it
}

void MemoryStream::connect_failed(Error why) {
    phase_ = Phase::failed;
    lost_ = std::move(why);
    to_fail_ = true;
    knock_.reset();
    deadline_.reset();
    in_flight_.clear();
    part_from_peer();
    bell_.ring();
}

void MemoryStream::part_from_peer() {
    if (!peer_) return;
    peer_->peer_ = nullptr;
    std::exchange(peer_, nullptr)->expect({Parcel::Kind::end});
}

// Data in flight.

/// Delivers a parcel to this end after a delay, in order with earlier ones.
void MemoryStream::expect(Parcel parcel) {
    if (parcel.kind == Parcel::Kind::end && hears_at_once()) return unload(std::move(parcel));
    last_arrival_ = std::max(last_arrival_, fabric_->now() + fabric_->draw_delay());
    parcel.arrives = last_arrival_;
    in_flight_.push_back(std::move(parcel));
    if (in_flight_.size() > 1) return;
    if (!arrival_) arrival_ = fabric_->loop().make_timer([this] { unload_all_due(); });
    arrival_->arm(last_arrival_);
}

void MemoryStream::unload_all_due() {
    if (!linked()) return;  // resume() arms the timer again
    while (!in_flight_.empty() && in_flight_.front().arrives <= fabric_->now()) {
        Parcel parcel = std::move(in_flight_.front());
        in_flight_.pop_front();
        unload(std::move(parcel));
    }
    if (!in_flight_.empty()) arrival_->arm(in_flight_.front().arrives);
}

void MemoryStream::unload(Parcel parcel) {
    switch (parcel.kind) {
        case Parcel::Kind::opened:
            phase_ = Phase::open;
            to_open_ = true;
            deadline_.reset();
            break;
        case Parcel::Kind::refused:
            return connect_failed(
                {Code::unreachable,
                 fmt::format("no program listens at {}; start it, or check the address", peer_name_)});
        case Parcel::Kind::bytes: arrived_.push(parcel.bytes); break;
        case Parcel::Kind::end: ended_ = true; break;
    }
    bell_.ring();
}

/// Returns whether bytes can be delivered immediately: the network has no delay and nothing is in flight.
bool MemoryStream::hears_at_once() const {
    return in_flight_.empty() && fabric_->faults().max_delay == Duration::zero() && linked();
}

/// Reports to the peer that this end has read that many bytes, or remembers them while the link is cut.
void MemoryStream::acknowledge(std::size_t bytes) {
    unacknowledged_ += bytes;
    if (!peer_ || !linked()) return;
    peer_->on_the_way_ -= std::exchange(unacknowledged_, 0);
    if (peer_->blocked_) peer_->bell_.ring();
}

// Calls by the owner.

void MemoryStream::attach(StreamEvents& events) {
    events_ = &events;
    bell_.ring();
}

Result<std::size_t> MemoryStream::read(std::span<std::byte> into) {
    if (arrived_.empty() && (lost_ || ended_)) {
        end_read_ = progressed_ = true;
        if (lost_) return fail(*lost_);
        return fail(Code::closed, fmt::format("{} has ended the connection", peer_name_));
    }
    std::size_t size = std::min(into.size(), arrived_.size());
    if (size == 0) return 0;
    if (fabric_->faults().split_reads) size = fabric_->random().below(size) + 1;
    arrived_.take(into.first(size));
    progressed_ = true;
    acknowledge(size);
    return size;
}

Result<std::size_t> MemoryStream::write(std::span<const ByteView> pieces) {
    if (lost_) return fail(*lost_);
    if (ended_)
        return fail(Code::unreachable,
                    fmt::format("{} is gone and reads no more; connect again", peer_name_));
    const std::size_t offered = total_size(pieces);
    const std::size_t taken = phase_ == Phase::open ? std::min(offered, room()) : 0;
    blocked_ = taken < offered;
    on_the_way_ += taken;
    if (!peer_ || taken == 0) return taken;

    if (peer_->hears_at_once()) {
        first_bytes(pieces, taken, [&](ByteView piece) { peer_->arrived_.push(piece); });
        peer_->bell_.ring();
    } else {
        Parcel parcel{Parcel::Kind::bytes};
        parcel.bytes.reserve(taken);
        first_bytes(pieces, taken, [&](ByteView piece) { append(parcel.bytes, piece); });
        peer_->expect(std::move(parcel));
    }
    return taken;
}

void MemoryStream::set_reading(bool reading) {
    reading_ = reading;
    if (reading) bell_.ring();
}

std::size_t MemoryStream::room() const {
    const std::size_t buffer = fabric_->faults().stream_buffer;
    return on_the_way_ < buffer ? buffer - on_the_way_ : 0;
}

// Events for the owner.

bool MemoryStream::is_readable() const {
    const bool end_left = (lost_ || ended_) && !end_read_;
    return phase_ == Phase::open && reading_ && (!arrived_.empty() || end_left);
}

bool MemoryStream::is_writable() const { return phase_ == Phase::open && (lost_ || ended_ || room() > 0); }

void MemoryStream::notify() {
    if (!events_) return;
    const auto alive = bell_.alive();
    if (std::exchange(to_fail_, false)) {
        const Error why = *lost_;  // a copy, because the handler may destroy the stream
        return events_->on_connect_failed(why);
    }
    if (std::exchange(to_open_, false)) {
        events_->on_open();
        if (!*alive) return;
    }
    if (blocked_ && is_writable()) {
        blocked_ = false;
        events_->on_writable();
        if (!*alive) return;
    }
    if (!is_readable()) return;
    progressed_ = false;
    events_->on_readable();
    if (!*alive || !is_readable()) return;
    if (progressed_)
        bell_.ring();
    else
        bell_.ring_later();
}

// Faults.

void MemoryStream::resume() {
    if (knock_) knock_->arm(fabric_->now() + fabric_->draw_delay());
    if (!in_flight_.empty()) arrival_->arm(in_flight_.front().arrives);
    acknowledge(0);
}

void MemoryStream::vanish() {
    phase_ = Phase::vanished;
    knock_.reset();
    deadline_.reset();
    in_flight_.clear();
    arrived_.clear();
    lost_.reset();
    ended_ = to_open_ = to_fail_ = false;
    peer_ = nullptr;  // its pointer to this end is cleared at the same time
}

void MemoryStream::lose_sight_of_peer() {
    peer_ = nullptr;
    in_flight_.clear();
}

void MemoryStream::reset() {
    Error why{Code::unreachable, fmt::format("the connection with {} was reset; connect again", peer_name_)};
    if (phase_ == Phase::connecting) return connect_failed(std::move(why));
    if (phase_ != Phase::open) return;
    peer_ = nullptr;  // it is reset at the same time
    in_flight_.clear();
    arrived_.clear();
    lost_ = std::move(why);
    bell_.ring();
}

}  // namespace caribou
