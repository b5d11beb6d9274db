#include "adapters/openssl/tls_stream.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "base/check.hpp"

namespace caribou {
namespace {

/// Buffer for one read. Not initialized, because it is filled before use.
using Chunk = std::array<std::byte, TlsEngine::max_record>;

/// Treats several pieces as one sequence of bytes.
class Gathered {
public:
    explicit Gathered(std::span<const ByteView> pieces) : pieces_(pieces) {
        for (const ByteView piece : pieces) left_ += piece.size();
    }
    std::size_t left() const { return left_; }

    /// Returns the next bytes, at most a chunk. Copies only if they span pieces.
    ByteView next(Chunk& room) {
        while (!pieces_.empty() && pieces_.front().size() == offset_) skip();
        if (pieces_.empty()) return {};
        if (pieces_.size() == 1 || pieces_.front().size() - offset_ >= room.size()) return take(room.size());
        std::size_t filled = 0;
        while (filled < room.size() && !pieces_.empty()) {
            const ByteView part = take(room.size() - filled);
            std::ranges::copy(part, room.begin() + static_cast<std::ptrdiff_t>(filled));
            filled += part.size();
            if (!pieces_.empty() && pieces_.front().size() == offset_) skip();
        }
        return ByteView(room).first(filled);
    }

private:
    ByteView take(std::size_t most) {
        const ByteView part = pieces_.front().subspan(offset_);
        const ByteView taken = part.first(std::min(most, part.size()));
        offset_ += taken.size();
        left_ -= taken.size();
        return taken;
    }
    void skip() {
        pieces_ = pieces_.subspan(1);
        offset_ = 0;
    }

    std::span<const ByteView> pieces_;
    std::size_t offset_ = 0;
    std::size_t left_ = 0;
};

}  // namespace

TlsStream::TlsStream(Loop& loop, std::unique_ptr<TlsEngine> engine, Duration limit, StreamEvents& events)
    : loop_(loop), engine_(std::move(engine)), events_(&events), limit_(limit), bell_(loop, [this] {
          offer_what_is_left();
      }) {}

TlsStream::~TlsStream() {
    if (!stands_) return;
    engine_->end();
    static_cast<void>(flush());
}

std::unique_ptr<TlsStream> TlsStream::connect(Loop& loop, Network& below, const Address& to,
                                              std::unique_ptr<TlsEngine> engine, Duration limit,
                                              TurnBudget* budget, StreamEvents& events) {
    std::unique_ptr<TlsStream> made(new TlsStream(loop, std::move(engine), limit, events));
    made->budget_ = budget;
    made->below_ = below.connect(to, *made);
    return made;
}

std::unique_ptr<TlsStream> TlsStream::accept(Loop& loop, std::unique_ptr<Stream> below,
                                             std::unique_ptr<TlsEngine> engine, Duration limit,
                                             TurnBudget* budget, StreamEvents& events) {
    std::unique_ptr<TlsStream> made(new TlsStream(loop, std::move(engine), limit, events));
    made->below_ = std::move(below);
    made->budget_ = budget;
    made->begin();
    made->below_->attach(*made);
    return made;
}

// The handshake.

void TlsStream::begin() {
    deadline_ = loop_.make_timer([this] {
        give_up({Code::timed_out,
                 fmt::format("{} has not proven who it is within {} s", peer(), to_seconds(limit_))});
    });
    deadline_->arm(loop_.clock().now() + limit_);
}

void TlsStream::on_open() {
    begin();
    greet();
}

void TlsStream::greet() {
    to_greet_ = budget_ && !budget_->take();
    if (to_greet_) return bell_.ring();
    shake();
}

void TlsStream::on_connect_failed(const Error& why) { events_->on_connect_failed(why); }

void TlsStream::shake() {
    const auto shaken = shake_with_what_came();
    const auto flushed = flush();
    if (!shaken) return give_up(shaken.error());
    if (!flushed) return give_up(flushed.error());
    if (*shaken) stand();
}

Result<bool> TlsStream::shake_with_what_came() {
    Chunk chunk;
    const auto received = below_->read(chunk);
    if (!received && received.error().code == Code::closed)
        return fail(Code::refused,
                    fmt::format("{} ended the connection before any key was proven; does it speak "
                                "TLS, and does it know this key?",
                                peer()));
    if (!received) return fail(lost(received.error().message));
    engine_->feed(ByteView(chunk).first(*received));
    auto shaken = engine_->shake_hands();
    if (!shaken) return fail(shaken.error().code, fmt::format("{}: {}", peer(), shaken.error().message));
    return shaken;
}

void TlsStream::stand() {
    stands_ = true;
    deadline_.reset();
    more_ = engine_->holds_received();
    below_->set_reading(reading_);
    bell_.ring();
    const auto alive = bell_.alive();
    events_->on_open();
    if (!*alive || !events_ || !std::exchange(blocked_, false)) return;
    events_->on_writable();
}

void TlsStream::give_up(const Error& why) {
    deadline_.reset();
    below_->set_reading(false);
    const Error last = why;  // a copy, because the stream may be destroyed before the handler has read it
    events_->on_connect_failed(last);
}

// The owner's events.

void TlsStream::attach(StreamEvents& events) {
    events_ = &events;
    if (!stands_) return;
    below_->set_reading(reading_);
    bell_.ring();
}

void TlsStream::silence() {
    events_ = nullptr;
    below_->set_reading(false);
}

void TlsStream::set_reading(bool reading) {
    reading_ = reading;
    if (!stands_) return;
    below_->set_reading(reading);
    if (reading) bell_.ring();
}

void TlsStream::on_readable() {
    if (!stands_) {
        if (!to_greet_ && (!budget_ || budget_->take())) shake();
        return;
    }
    more_ = true;
    offer_what_is_left();
}

void TlsStream::offer_what_is_left() {
    if (to_greet_) return greet();
    if (!events_ || !stands_ || !reading_ || !more_) return;
    const auto alive = bell_.alive();
    progressed_ = false;
    events_->on_readable();
    if (!*alive || !more_) return;
    if (progressed_)
        bell_.ring();
    else
        bell_.ring_later();
}

void TlsStream::on_writable() {
    const auto flushed = flush();
    if (!stands_) {
        if (!flushed) give_up(flushed.error());
        return;
    }
    if (flushed && !engine_->outgoing().empty()) return;
    if (events_ && std::exchange(blocked_, false)) events_->on_writable();
}

// The owner's calls.

Result<std::size_t> TlsStream::read(std::span<std::byte> into) {
    if (!stands_ || into.empty()) return 0;
    std::size_t filled = 0;
    Chunk chunk;
    progressed_ = true;
    more_ = true;
    while (filled < into.size() && !end_) {
        const auto got = engine_->read(into.subspan(filled));
        if (!got) {
            end_ = Error{got.error().code, fmt::format("{}: {}", peer(), got.error().message)};
        } else if (*got > 0) {
            filled += *got;
        } else {
            const auto received = below_->read(chunk);
            if (!received)
                end_ = lost(received.error().code == Code::closed ? "ended without a closing message"
                                                                  : received.error().message);
            else if (*received == 0)
                break;
            else
                engine_->feed(ByteView(chunk).first(*received));
        }
    }
    if (filled == into.size()) return filled;
    more_ = end_.has_value() && filled > 0;
    if (filled == 0 && end_) return fail(*end_);
    return filled;
}

Result<std::size_t> TlsStream::write(std::span<const ByteView> pieces) {
    if (end_ && end_->code != Code::closed) return fail(*end_);
    Gathered content(pieces);
    const std::size_t offered = content.left();
    Chunk room;
    while (stands_ && content.left() > 0 && engine_->outgoing().empty()) {
        auto written = engine_->write(content.next(room));
        if (written) written = flush();
        if (!written) return fail(written.error());
    }
    blocked_ = content.left() > 0;
    return offered - content.left();
}

Result<void> TlsStream::flush() {
    const ByteView outgoing = engine_->outgoing();
    if (outgoing.empty()) return {};
    const auto taken = below_->write({&outgoing, 1});
    if (!taken) return fail(taken.error());
    engine_->sent(*taken);
    return {};
}

link::KeyId TlsStream::key() const {
    check(stands_, "a key is reported after its proof");
    return *engine_->key();
}

Error TlsStream::lost(std::string_view why) const {
    return {Code::unreachable, fmt::format("the connection with {} is lost: {}", peer(), why)};
}

}  // namespace caribou
