// Feeds arbitrary bytes from several connections, interleaved with other events. The broker must stay within
// its limits, and its output must be decodable.

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "base/check.hpp"
#include "base/log.hpp"
#include "bus/broker.hpp"
#include "wire/codec.hpp"
#include "wire/packet_reader.hpp"

namespace caribou::bus {
namespace {

constexpr BrokerLimits limits{.max_clients = 3,
                              .max_variables = 20,
                              .max_message = 1_KiB,
                              .max_name = 32,
                              .max_filters = 3,
                              .backlog_collapse = 1_KiB,
                              .backlog_max = 2_KiB,
                              .backlog_total = 4_KiB,
                              .stall_limit = std::chrono::seconds(2),
                              .max_replies_owed = 4,
                              .max_requests_waiting = 3,
                              .request_backlog = 1_KiB,
                              .turn_work = 20};
/// The broker's own summaries grow with the number of variables; nothing it sends is larger.
constexpr std::size_t largest_message = limits.max_variables * (limits.max_message + 256);
/// Twice the limit, because a packet being sent was within it when it was sealed, plus one message per
/// connection, which triggers the limit.
constexpr std::size_t backlog_most = 2 * limits.backlog_total + limits.max_clients * (largest_message + 256);

/// One connection and the output received on it so far.
struct Slot {
    std::optional<ConnectionId> id;
    wire::PacketReader reader{largest_message};
    Bytes unread;
};

/// Interprets the input as a list of events: one byte selects the event and the connection, then its
/// arguments follow.
class Play {
public:
    explicit Play(ByteView script)
        : script_(script), broker_({.community = "f", .limits = limits}, log_, at_) {}

    void run() {
        while (!script_.empty()) {
            event();
            check(broker_.backlog() <= backlog_most, "the backlog is within its limits");
            check(broker_.exchange().size() <= limits.max_variables, "variables are within their limit");
            check(broker_.client_count() <= limits.max_clients, "clients are within their limit");
            for (const Broker::Closed& closed : broker_.take_closed())
                for (Slot& slot : slots_)
                    if (slot.id == closed.id) slot = {};
        }
    }

private:
    void event() {
        const unsigned code = next();
        Slot& slot = slots_[code % slots_.size()];
        switch (code / slots_.size() % 8) {
            case 0: return connect(slot);
            case 1:
                if (slot.id) broker_.disconnect(*slot.id, "gone", at_);
                slot = {};
                return;
            case 2: return pass(std::chrono::milliseconds(20) * next());
            case 3: return read(slot, next());
            case 4: return read(slot, SIZE_MAX);
            case 5: return greet(slot, wire::asynchronous);
            case 6: return greet(slot, "");
            default: return say(slot, next() + 256u * next());
        }
    }

    void connect(Slot& slot) {
        if (slot.id) return;
        const auto id = broker_.connect("fuzz", at_);
        if (id) slot.id = *id;
    }

    /// Completes the handshake, so that the following bytes are read as packets.
    void greet(Slot& slot, std::string_view mode) {
        connect(slot);
        if (!slot.id) return;
        const std::string name(1, static_cast<char>('a' + (&slot - slots_.data())));
        broker_.receive(*slot.id, wire::greeting(), at_);
        broker_.receive(*slot.id,
                        wire::encode_packet(wire::MessageView{.type = wire::MessageType::data,
                                                              .data_type = wire::DataType::string,
                                                              .key = mode,
                                                              .payload = name}),
                        at_);
    }

    void say(Slot& slot, std::size_t size) {
        const ByteView bytes = script_.first(std::min(size, script_.size()));
        script_ = script_.subspan(bytes.size());
        // Copied to the heap, so that the address sanitizer detects any access out of bounds.
        if (slot.id) broker_.receive(*slot.id, Bytes(bytes.begin(), bytes.end()), at_);
    }

    void pass(Duration span) {
        const Instant end = at_.now + span;
        while (at_.now < end) {
            const Instant wake = std::clamp(broker_.next_wake(at_), at_.now + Duration(1), end);
            const Duration step = wake - at_.now;
            at_ = {wake, at_.warped + step, at_.stamp + to_seconds(step)};
            broker_.tick(at_);
        }
    }

    void read(Slot& slot, std::size_t most) {
        std::array<ByteView, 4> pieces;
        std::vector<ConnectionId> ready;
        broker_.take_ready(ready, at_);
        while (slot.id && most > 0) {
            const std::size_t count = broker_.gather(*slot.id, pieces, at_);
            if (count == 0) return;
            std::size_t taken = 0;
            for (ByteView piece : std::span(pieces).first(count)) {
                piece = piece.first(std::min(piece.size(), most));
                append(slot.unread, piece);
                taken += piece.size();
                most -= piece.size();
            }
            broker_.sent(*slot.id, taken, at_);
            check_output(slot);
        }
    }

    void check_output(Slot& slot) {
        ByteView left = slot.unread;
        for (;;) {
            const auto step = slot.reader.next(left);
            check(step.has_value(), "whatever the broker sends can be read");
            if (step->kind == wire::PacketReader::Step::Kind::need_more) break;
            left = left.subspan(step->consumed);
        }
        slot.unread.erase(slot.unread.begin(), slot.unread.end() - static_cast<std::ptrdiff_t>(left.size()));
    }

    unsigned next() {
        if (script_.empty()) return 0;
        const unsigned byte = std::to_integer<unsigned>(script_.front());
        script_ = script_.subspan(1);
        return byte;
    }

    ByteView script_;
    NullLog log_;
    Moment at_{Instant(std::chrono::hours(1)), Instant(std::chrono::hours(1)), 1000};
    Broker broker_;
    std::array<Slot, 4> slots_;  // one more than max_clients
};

}  // namespace
}  // namespace caribou::bus

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    caribou::bus::Play(std::as_bytes(std::span(data, size))).run();
    return 0;
}
