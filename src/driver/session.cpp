#include "driver/session.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "driver/frame_checks.hpp"
#include "loop/duration_text.hpp"

namespace caribou::driver {
namespace {

/// Read in one call of poll(), so that a flood does not hold up the caller.
constexpr std::size_t most_per_poll = 64_KiB;

Pose pose_of(const Place& place) { return {place.x, place.y, place.heading}; }

/// A driver may order less than it was ordered to, never more and never backwards.
bool is_carried_out(double ordered, double wanted) {
    constexpr double rounding = 1e-3;  // m/s
    if (std::abs(ordered) <= rounding) return true;
    return ordered * wanted > 0 && std::abs(ordered) <= std::abs(wanted) + rounding;
}

}  // namespace

void DriverSession::close(std::string why) {
    if (!fault_.empty()) return;
    fault_ = std::move(why);
    line_.end();
}

void DriverSession::poll(Instant now) {
    if (!fault_.empty()) return;
    auto outcome = read_available(now);
    if (outcome) outcome = check_silence(now);
    if (!outcome) close(std::move(outcome.error().message));
}

Result<void> DriverSession::read_available(Instant now) {
    std::array<std::byte, 16_KiB> buffer;
    for (std::size_t total = 0; total < most_per_poll;) {
        const auto size = line_.read(buffer);
        if (!size && size.error().code == Code::closed)
            return fail(Code::closed, last_error_.empty()
                                          ? "the driver closed the connection"
                                          : "the driver closed the connection: " + last_error_);
        if (!size) return fail(size.error());
        if (*size == 0) return {};
        total += *size;
        if (auto good = count(*size, 0, now); !good) return good;
        reader_.add(std::span(buffer).first(*size));
        for (;;) {
            auto message = reader_.next();
            if (!message) return fail(message.error().code, "a bad frame: " + message.error().message);
            if (!*message) break;
            if (auto good = count(0, 1, now); !good) return good;
            if (auto good = take(**message, now); !good) return good;
        }
    }
    return {};
}

Result<void> DriverSession::count(std::size_t bytes, std::size_t frames, Instant now) {
    if (now - window_ >= std::chrono::seconds(1)) {
        window_ = now;
        bytes_in_window_ = 0;
        frames_in_window_ = 0;
    }
    bytes_in_window_ += bytes;
    frames_in_window_ += frames;
    if (bytes_in_window_ > DriverLimits::bytes_per_second ||
        frames_in_window_ > DriverLimits::frames_per_second)
        return fail(Code::limit_exceeded,
                    fmt::format("a flood: more than {} frames or {} bytes in a second",
                                DriverLimits::frames_per_second, DriverLimits::bytes_per_second));
    return {};
}

Result<void> DriverSession::take(const DriverMessage& message, Instant now) {
    if (const auto* hello = std::get_if<Hello>(&message)) {
        heard_ = now;
        return take_hello(*hello);
    }
    if (const auto* log = std::get_if<LogLine>(&message)) {
        if (log->level >= LogLine::ERROR) last_error_ = log->text;
        if (on_log_) on_log_(*log);
        return {};
    }
    if (!hello_) return fail(Code::malformed, "its first frame is not a hello");
    if (const auto* state = std::get_if<State>(&message)) return take_state(*state, now);
    if (const auto* scan = std::get_if<Scan>(&message)) return take_scan(*scan);
    if (const auto* sights = std::get_if<Sights>(&message)) return take_sights(*sights);
    return fail(Code::malformed, "a frame that only a robot sends");
}

Result<void> DriverSession::take_hello(const Hello& hello) {
    if (hello_) return fail(Code::malformed, "a second hello");
    if (auto good = check_hello(hello); !good)
        return fail(Code::malformed, "its hello: " + good.error().message);
    hello_ = hello;
    return {};
}

Result<void> DriverSession::take_state(const State& state, Instant now) {
    if (auto good = check_state(state, *hello_); !good)
        return fail(Code::malformed, "its state: " + good.error().message);
    if (state_)
        if (auto good = check_next_state(state, *state_, *hello_); !good)
            return fail(Code::malformed, "its state: " + good.error().message);
    if (auto good = acknowledge(state); !good) return good;
    state_ = state;
    ++states_;
    heard_ = now;
    return {};
}

Result<void> DriverSession::acknowledge(const State& state) {
    if (state.seq > last_seq_ || state.seq < acknowledged_)
        return fail(Code::malformed,
                    fmt::format("its state acknowledges order {}; expected one from {} to {}", state.seq,
                                acknowledged_, last_seq_));
    while (!under_way_.empty() && under_way_.front().seq <= state.seq) {
        carried_out_ = under_way_.front().speeds;
        under_way_.pop_front();
    }
    acknowledged_ = state.seq;
    if (!is_carried_out(state.ordered_left, carried_out_.left) ||
        !is_carried_out(state.ordered_right, carried_out_.right))
        return fail(
            Code::malformed,
            fmt::format(
                "it drives {:.3f} and {:.3f} m/s (left, right) although order {} is {:.3f} and {:.3f}",
                state.ordered_left, state.ordered_right, state.seq, carried_out_.left, carried_out_.right));
    return {};
}

Result<void> DriverSession::take_scan(const Scan& scan) {
    if (auto good = check_scan(scan); !good)
        return fail(Code::malformed, "its scan: " + good.error().message);
    scan_ = scan.ranges.empty() ? nullptr
                                : std::make_shared<const motion::LidarScan>(
                                      motion::LidarScan{scan.first_angle, scan.angle_step, scan.ranges});
    return {};
}

Result<void> DriverSession::take_sights(const Sights& sights) {
    if (auto good = check_sights(sights); !good)
        return fail(Code::malformed, "its sights: " + good.error().message);
    if (!sights.valid) return sights_.reset(), Result<void>();
    motion::Sights seen;
    for (const Cube& cube : sights.cubes) seen.cubes.push_back({pose_of(cube.place), cube.name});
    if (sights.sees_dock) seen.dock = pose_of(sights.dock);
    sights_ = std::make_shared<const motion::Sights>(std::move(seen));
    return {};
}

Duration DriverSession::lost_after() const {
    return std::max<Duration>(DriverLimits::lost,
                              6 * std::chrono::milliseconds(hello_ ? hello_->period_ms : 0));
}

bool DriverSession::confirms_rest() const {
    return carried_out_ == motion::WheelSpeeds{} &&
           std::ranges::all_of(under_way_,
                               [](const SentOrder& order) { return order.speeds == motion::WheelSpeeds{}; });
}

bool DriverSession::is_silent(Instant now) const {
    return !state_ || now - heard_ > 3 * std::chrono::milliseconds(hello_->period_ms);
}

Result<void> DriverSession::check_silence(Instant now) const {
    if (!hello_) {
        if (now - opened_ <= DriverLimits::hello) return {};
        return fail(Code::timed_out, fmt::format("no hello within {}", duration_text(DriverLimits::hello)));
    }
    if (now - heard_ > lost_after())
        return fail(Code::timed_out,
                    fmt::format("the driver is silent for more than {}", duration_text(lost_after())));
    if (!under_way_.empty() && now - under_way_.front().at > lost_after())
        return fail(Code::timed_out,
                    fmt::format("the driver does not carry out orders: {} waits for more than {}",
                                under_way_.front().seq, duration_text(lost_after())));
    return {};
}

void DriverSession::order(motion::WheelSpeeds speeds, bool enabled, Instant now) {
    if (!hello_ || !fault_.empty()) return;
    if (!enabled) speeds = {};
    if (under_way_.size() >= DriverLimits::orders_under_way)
        return close(limit_reached("orders_under_way", under_way_.size() + 1, DriverLimits::orders_under_way,
                                   "orders"));
    under_way_.push_back({++last_seq_, speeds, now});
    send(Order{.seq = last_seq_, .enabled = enabled, .left = speeds.left, .right = speeds.right});
}

void DriverSession::send(const DriverMessage& message) {
    if (!hello_ || !fault_.empty()) return;
    const Bytes frame = frame_of(message);
    const auto written = line_.write(frame);
    if (!written) return close("cannot write to the driver: " + written.error().message);
    if (*written < frame.size()) close("the driver does not read: its socket is full");
}

}  // namespace caribou::driver
