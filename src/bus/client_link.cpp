#include "bus/client_link.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "base/check.hpp"
#include "base/limits.hpp"
#include "wire/codec.hpp"

namespace caribou::bus {
namespace {

/// Bytes per read.
constexpr std::size_t read_size = 64_KiB;
/// Empty buffers larger than this are released.
constexpr std::size_t kept_for_reading = 64_KiB;

void empty(Bytes& buffer) {
    if (buffer.capacity() > kept_for_reading)
        buffer = {};
    else
        buffer.clear();
}

}  // namespace

ClientLink::ClientLink(Network& network, ClientOutbox& outbox, ClientStats& stats, std::size_t max_message,
                       Events& events)
    : network_(network),
      outbox_(outbox),
      stats_(stats),
      max_message_(max_message),
      events_(events),
      reader_(max_message) {}

void ClientLink::open(const Address& broker) {
    forget();
    stream_ = network_.connect(broker, *this);
}

void ClientLink::close() {
    forget();
    stream_.reset();
}

void ClientLink::forget() {
    ++connection_;
    standing_ = false;
    reader_ = wire::PacketReader(max_message_);
    empty(rest_);
    empty(front_);
    header_at_ = put_count_ = sent_ = 0;
    sending_ = false;
}

void ClientLink::on_open() {
    standing_ = true;
    events_.on_standing();
}

void ClientLink::on_connect_failed(const Error& why) { lost(why); }

void ClientLink::lost(const Error& why) {
    standing_ = false;
    events_.on_lost(why);
}

// Sending.

void ClientLink::put_greeting() {
    check(ready() && front_.empty(), "the greeting comes first");
    append(front_, wire::greeting());
    header_at_ = front_.size();
}

void ClientLink::put(const wire::MessageView& message) {
    check(ready(), "one packet after the other");
    if (put_count_ == 0) wire::append_packet_header(front_, 0, 0);
    wire::append_message(front_, message);
    ++put_count_;
}

void ClientLink::send(With with) {
    check(ready(), "one packet after the other");
    if (put_count_ == 0) wire::append_packet_header(front_, 0, 0);
    if (with == With::outbox) outbox_.take_packet();
    const std::size_t put_size = front_.size() - header_at_ - wire::packet_header_size;
    wire::store_packet_header(front_.data() + header_at_, put_size + outbox_.packet().size(),
                              put_count_ + outbox_.packet_count());
    sending_ = true;
    write();
}

void ClientLink::write() {
    const ByteView body = outbox_.packet();
    const std::size_t front_sent = std::min(sent_, front_.size());
    const std::array pieces{ByteView(front_).subspan(front_sent), body.subspan(sent_ - front_sent)};
    const auto taken = stream_->write(pieces);
    if (!taken) {
        standing_ = false;  // the end is reported by the reading side, after the data that has still arrived
        return;
    }
    sent_ += *taken;
    stats_.bytes_sent += *taken;
    if (sent_ < front_.size() + body.size()) return;
    stats_.packets_sent += 1;
    stats_.messages_sent += put_count_ + outbox_.packet_count();
    outbox_.packet_sent();
    empty(front_);
    header_at_ = put_count_ = sent_ = 0;
    sending_ = false;
}

void ClientLink::on_writable() {
    if (!sending_ || !standing_) return;
    write();
    if (!sending_) events_.on_packet_sent();
}

// Receiving.

void ClientLink::on_readable() {
    const auto connection = connection_;
    if (rest_.size() <= read_size / 2)
        read_short();
    else
        read_long();
    if (connection == connection_ && standing_) events_.on_read_end();
}

/// The common case: the remainder of the last read and the new bytes are decoded in place.
void ClientLink::read_short() {
    std::array<std::byte, read_size> scratch;
    std::ranges::copy(rest_, scratch.begin());
    const auto read = read_into(scratch, rest_.size());
    if (!read) return;
    empty(rest_);
    append(rest_, read->left);
}

/// Appends to the buffer of a long message as it arrives. close() does not touch that buffer.
void ClientLink::read_long() {
    Bytes growing = std::exchange(rest_, {});
    const std::size_t there = growing.size();
    growing.resize(there + read_size);
    const auto read = read_into(growing, there);
    if (!read) return;
    if (read->left.size() <= read_size / 2) return append(rest_, read->left);
    growing.resize(there + read->got);
    growing.erase(growing.begin(), growing.end() - static_cast<std::ptrdiff_t>(read->left.size()));
    rest_ = std::move(growing);
}

std::optional<ClientLink::Read> ClientLink::read_into(std::span<std::byte> buffer, std::size_t there) {
    const auto connection = connection_;
    const auto got = stream_->read(buffer.subspan(there));
    if (!got) {
        lost(got.error());
        return std::nullopt;
    }
    stats_.bytes_received += *got;
    const ByteView input = buffer.first(there + *got);
    const auto used = report(input);
    if (connection != connection_) return std::nullopt;
    if (!used) {
        ++stats_.malformed;
        lost(used.error());
        return std::nullopt;
    }
    return Read{.got = *got, .left = input.subspan(*used)};
}

Result<std::size_t> ClientLink::report(ByteView input) {
    using Kind = wire::PacketReader::Step::Kind;
    const auto connection = connection_;
    std::size_t used = 0;
    while (connection == connection_) {
        const auto step = reader_.next(input.subspan(used));
        if (!step) return fail(step.error());
        used += step->consumed;
        switch (step->kind) {
            case Kind::need_more: return used;
            case Kind::packet: stats_.packets_received += 1; break;
            case Kind::message:
                stats_.messages_received += 1;
                events_.on_message(step->message, step->raw);
                break;
            case Kind::packet_end: events_.on_packet_end(); break;
        }
    }
    return used;
}

}  // namespace caribou::bus
