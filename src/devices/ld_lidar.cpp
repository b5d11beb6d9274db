#include "devices/ld_lidar.hpp"

#include <limits>
#include <numbers>
#include <utility>
#include <vector>

namespace caribou::devices {
namespace {

constexpr double nearest_mm = 20;
constexpr double farthest_mm = 12'000;
constexpr double points = ld::points_per_frame;

/// Frames whose points are too far apart were measured while the speed changed.
bool is_even(const ld::Frame& frame) {
    return frame.speed > 0 && frame.span() <= 1.5 * frame.speed * points / LdLidar::points_per_second;
}

/// A point without an echo is no reading: black and very near objects give none as well.
double range_of(const ld::Frame::Point& point) {
    const bool is_valid = point.distance >= nearest_mm && point.distance <= farthest_mm;
    return is_valid ? point.distance / 1000.0 : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

void LdLidar::begin(Instant) {
    reader_ = {};
    time_.reset();
    stamp_.reset();
    degrees_.reset();
}

void LdLidar::on_bytes(ByteView bytes, Instant now) {
    reader_.add(bytes);
    // Several frames arrive at once: the last one shows best when they were sent.
    std::vector<std::pair<ld::Frame, Duration>> frames;
    while (const auto frame = reader_.next()) {
        frames.emplace_back(*frame, device_time(frame->stamp));
        time_.learn(frames.back().second, now);
    }
    for (const auto& [frame, time] : frames) take(frame, time_.instant_of(time));
}

Duration LdLidar::device_time(int stamp) {
    const int step = stamp_ ? (ld::stamp_period + stamp - *stamp_) % ld::stamp_period : 0;
    stamp_ = stamp;
    return elapsed_ += std::chrono::milliseconds(step);
}

void LdLidar::take(const ld::Frame& frame, Instant last) {
    if (!is_even(frame)) return;
    for (std::size_t i = 0; i < frame.points.size(); ++i) {
        const double degrees = frame.angle(i);
        if (degrees_ && *degrees_ > 340 && degrees < 20) sink_.end_turn();
        degrees_ = degrees;
        const double before = (points - 1 - static_cast<double>(i)) / points_per_second;
        sink_.add({.clockwise = degrees * std::numbers::pi / 180.0,
                   .range = range_of(frame.points.at(i)),
                   .at = last - from_seconds(before)});
    }
}

}  // namespace caribou::devices
