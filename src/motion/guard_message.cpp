#include "motion/guard_message.hpp"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

namespace caribou::motion {
namespace {

/// The first byte of a datagram.
enum class GuardKind : std::uint8_t {
    start = 1,
    feed = 2,
    driver = 3,
    bye = 4,
    alive = 129,
    restored = 130,
    cut = 131,
    gave_up = 132,
    not_restored = 133,
    driver_process = 134,
};

constexpr std::uint8_t flag_motors_on = 1;
constexpr std::uint8_t flag_moving = 2;
constexpr std::uint8_t flag_driver_lost = 4;
constexpr std::uint8_t guard_flags = flag_motors_on | flag_moving | flag_driver_lost;
constexpr std::int32_t never_stops_alone = -1;
constexpr std::int32_t longest_own_stop = 60'000;  ///< ms

void begin(Bytes& into, GuardKind kind) {
    into.clear();
    append_le(into, static_cast<std::uint8_t>(kind));
}

struct GuardEncoder {
    Bytes& into;

    void operator()(const GuardStart& start) const {
        begin(into, GuardKind::start);
        append(into, bytes_of(start.body));
    }
    void operator()(const GuardFeed& feed) const {
        begin(into, GuardKind::feed);
        append_le(into, static_cast<std::int64_t>(feed.at.time_since_epoch().count()));
        append_le(into, static_cast<std::uint8_t>((feed.motors_on ? flag_motors_on : 0) |
                                                  (feed.moving ? flag_moving : 0) |
                                                  (feed.driver_lost ? flag_driver_lost : 0)));
    }
    void operator()(const DriverFacts& facts) const {
        begin(into, GuardKind::driver);
        append_le(into, facts.stops_without_feed ? static_cast<std::int32_t>(*facts.stops_without_feed /
                                                                             std::chrono::milliseconds(1))
                                                 : never_stops_alone);
        append(into, facts.stop_frame);
    }
    void operator()(const GuardBye& bye) const {
        begin(into, GuardKind::bye);
        append_le(into, static_cast<std::uint8_t>(bye.at_rest ? 1 : 0));
    }
    void operator()(const GuardAlive&) const { begin(into, GuardKind::alive); }
    void operator()(const GuardRestored&) const { begin(into, GuardKind::restored); }
    void operator()(const GuardDriver&) const { begin(into, GuardKind::driver_process); }
    void operator()(const GuardCut& cut) const {
        begin(into, GuardKind::cut);
        append_le(into, static_cast<std::int64_t>(cut.since_feed.count()));
        append_le(into, static_cast<std::uint8_t>(cut.confirmed ? 1 : 0));
        append(into, bytes_of(std::string_view(cut.reason).substr(0, GuardMessageLimits::reason)));
    }
    void operator()(const GuardGaveUp& gave_up) const {
        begin(into, GuardKind::gave_up);
        append(into, bytes_of(std::string_view(gave_up.reason).substr(0, GuardMessageLimits::reason)));
    }
    void operator()(const GuardNotRestored& not_restored) const {
        begin(into, GuardKind::not_restored);
        append(into, bytes_of(std::string_view(not_restored.reason).substr(0, GuardMessageLimits::reason)));
    }
};

std::unexpected<Error> malformed(std::string_view what) {
    return fail(Code::malformed, fmt::format("malformed datagram between robot and guard: {}", what));
}

Result<RobotToGuard> feed_from(ByteView body) {
    if (body.size() != 9) return malformed("a feed has 10 bytes");
    const auto flags = load_le<std::uint8_t>(body.data() + 8);
    if ((flags & ~guard_flags) != 0) return malformed("unknown flags");
    return GuardFeed{.at = Instant(Duration(load_le<std::int64_t>(body.data()))),
                     .motors_on = (flags & flag_motors_on) != 0,
                     .moving = (flags & flag_moving) != 0,
                     .driver_lost = (flags & flag_driver_lost) != 0};
}

Result<RobotToGuard> driver_facts_from(ByteView body) {
    if (body.size() < 4 || body.size() > 4 + GuardMessageLimits::stop_frame)
        return malformed(fmt::format("a stop frame has at most {} bytes", GuardMessageLimits::stop_frame));
    const auto stops = load_le<std::int32_t>(body.data());
    if (stops < never_stops_alone || stops > longest_own_stop)
        return malformed("stops_without_feed_ms is out of range");
    DriverFacts facts;
    if (stops >= 0) facts.stops_without_feed = std::chrono::milliseconds(stops);
    append(facts.stop_frame, body.subspan(4));
    return facts;
}

Result<RobotToGuard> bye_from(ByteView body) {
    if (body.size() != 1) return malformed("a bye has 2 bytes");
    const auto at_rest = load_le<std::uint8_t>(body.data());
    if (at_rest > 1) return malformed("unknown flags");
    return GuardBye{.at_rest = at_rest == 1};
}

Result<GuardToRobot> cut_from(ByteView body) {
    constexpr std::size_t fixed = 9;
    if (body.size() < fixed) return malformed("a cut has at least 10 bytes");
    if (body.size() > fixed + GuardMessageLimits::reason) return malformed("the reason is too long");
    const auto confirmed = load_le<std::uint8_t>(body.data() + 8);
    if (confirmed > 1) return malformed("unknown flags");
    return GuardCut{.reason = std::string(text_of(body.subspan(fixed))),
                    .since_feed = Duration(load_le<std::int64_t>(body.data())),
                    .confirmed = confirmed == 1};
}

}  // namespace

void encode(const RobotToGuard& message, Bytes& into) { std::visit(GuardEncoder{into}, message); }
void encode(const GuardToRobot& message, Bytes& into) { std::visit(GuardEncoder{into}, message); }

Result<RobotToGuard> robot_to_guard_from(ByteView datagram) {
    if (datagram.empty()) return malformed("empty");
    const ByteView body = datagram.subspan(1);
    switch (static_cast<GuardKind>(datagram.front())) {
        case GuardKind::feed: return feed_from(body);
        case GuardKind::driver: return driver_facts_from(body);
        case GuardKind::start:
            if (body.size() > GuardMessageLimits::digest) return malformed("the digest is too long");
            return GuardStart{std::string(text_of(body))};
        case GuardKind::bye: return bye_from(body);
        default: return malformed("unknown kind");
    }
}

Result<GuardToRobot> guard_to_robot_from(ByteView datagram) {
    if (datagram.empty()) return malformed("empty");
    const ByteView body = datagram.subspan(1);
    switch (static_cast<GuardKind>(datagram.front())) {
        case GuardKind::cut: return cut_from(body);
        case GuardKind::gave_up:
            if (body.size() > GuardMessageLimits::reason) return malformed("the reason is too long");
            return GuardGaveUp{std::string(text_of(body))};
        case GuardKind::not_restored:
            if (body.size() > GuardMessageLimits::reason) return malformed("the reason is too long");
            return GuardNotRestored{std::string(text_of(body))};
        case GuardKind::alive:
            if (body.empty()) return GuardAlive{};
            break;
        case GuardKind::restored:
            if (body.empty()) return GuardRestored{};
            break;
        case GuardKind::driver_process:
            if (body.empty()) return GuardDriver{};
            break;
        default: return malformed("unknown kind");
    }
    return malformed("trailing bytes");
}

}  // namespace caribou::motion
