#include "devices/rplidar_lidar.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numbers>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace caribou::devices {
namespace {

using namespace std::chrono_literals;
using rplidar::Reply;
using rplidar::Request;

constexpr std::array bauds = {115'200, 256'000, 460'800};
constexpr Duration after_stop = 100ms;
constexpr Duration lidar_answer_limit = 500ms;
constexpr Duration spin_up = 4s;       ///< from the request of a scan to its first point
constexpr Duration points_limit = 1s;  ///< between points
constexpr Duration after_reset = 2s;
constexpr std::uint16_t usual_pwm = 660;
constexpr int first_with_express = 256 + 17;
constexpr int first_c_series = 4;
constexpr int a2 = 2;

/// The time from one point to the next.
Duration point_period(const std::optional<rplidar::Info>& info, bool is_express) {
    if (info && info->series() >= first_c_series) return 200us;
    return is_express ? 254us : 508us;
}

std::size_t size_of(Reply reply) {
    switch (reply) {
        case Reply::info: return 20;
        case Reply::health: return 3;
        case Reply::board_flags: return 4;
        case Reply::nodes: return 5;
        case Reply::express: return rplidar::CapsuleReader::size;
    }
    return 0;
}

}  // namespace

void RplidarLidar::begin(Instant now) {
    // Asserted, DTR stops the motor of an A1.
    port_.set_lines(false, false);
    ask(Request::stop, Phase::silence, now);
}

void RplidarLidar::enter(Phase phase, Instant now) {
    phase_ = phase;
    phase_since_ = now;
    bytes_.clear();
}

void RplidarLidar::ask(Request what, Phase phase, Instant now) {
    port_.write(rplidar::request(what));
    enter(phase, now);
}

void RplidarLidar::tick(Instant now) {
    const Duration time = now - phase_since_;
    switch (phase_) {
        case Phase::silence:
            if (time < after_stop) return;
            port_.discard_input();
            return ask(Request::info, Phase::info, now);
        case Phase::info:
        case Phase::health:
            if (time >= lidar_answer_limit) give_up(now);
            return;
        case Phase::board_flags:
            if (time >= lidar_answer_limit) begin_scan(now);
            return;
        case Phase::scan:
            if (time >= spin_up) give_up(now);
            return;
        case Phase::nodes:
        case Phase::capsules:
            if (now - heard_ >= (heard_ > phase_since_ ? points_limit : spin_up)) give_up(now);
            return;
        case Phase::restart:
            if (time >= after_reset) begin(now);
            return;
    }
}

void RplidarLidar::give_up(Instant now) {
    if (!info_) {
        const auto tried = std::ranges::find(bauds, baud_);
        baud_ = tried == bauds.end() || tried + 1 == bauds.end() ? bauds.front() : *(tried + 1);
        port_.set_baud(baud_);
        return begin(now);
    }
    log_.warning("lidar: no data; it is started again");
    info_.reset();
    ask(Request::reset, Phase::restart, now);
}

void RplidarLidar::on_bytes(ByteView bytes, Instant now) {
    switch (phase_) {
        case Phase::silence:
        case Phase::restart: return;
        case Phase::nodes: nodes_.add(bytes); return take_points(now);
        case Phase::capsules: capsules_.add(bytes); return take_points(now);
        case Phase::info:
        case Phase::health:
        case Phase::board_flags:
        case Phase::scan: break;
    }
    append(bytes_, bytes);
    take_reply(now);
}

void RplidarLidar::take_reply(Instant now) {
    for (; !bytes_.empty(); bytes_.erase(bytes_.begin())) {
        if (bytes_.size() < rplidar::Descriptor::wire_size) return;
        const auto descriptor = rplidar::descriptor_in(bytes_);
        if (!descriptor) continue;
        const auto reply = static_cast<Reply>(descriptor->type);
        if (descriptor->size != size_of(reply) || descriptor->size == 0) continue;
        const ByteView data = std::span(bytes_).subspan(rplidar::Descriptor::wire_size);
        if (phase_ == Phase::scan && (reply == Reply::nodes || reply == Reply::express)) {
            const Bytes begun(data.begin(), data.end());
            enter(reply == Reply::nodes ? Phase::nodes : Phase::capsules, now);
            heard_ = now;
            nodes_ = {};
            capsules_ = {};
            return on_bytes(begun, now);
        }
        if (data.size() < descriptor->size) return;
        const Bytes packet(data.begin(), data.begin() + descriptor->size);
        if (phase_ == Phase::info && reply == Reply::info) return take_info(packet, now);
        if (phase_ == Phase::health && reply == Reply::health) return take_health(packet, now);
        if (phase_ == Phase::board_flags && reply == Reply::board_flags) {
            if ((std::to_integer<unsigned>(packet[0]) & 1U) != 0) port_.write(rplidar::motor_pwm(usual_pwm));
            return begin_scan(now);
        }
    }
}

void RplidarLidar::take_info(ByteView data, Instant now) {
    info_ = rplidar::info_in(data);
    log_.info(fmt::format("lidar: RPLIDAR {}{}, firmware {}.{:02}, hardware {}, at {} baud",
                          info_->series() >= first_c_series ? 'C' : 'A',
                          info_->series() >= first_c_series ? info_->series() - 3 : info_->series(),
                          info_->firmware / 256, info_->firmware % 256, info_->hardware, baud_));
    ask(Request::health, Phase::health, now);
}

void RplidarLidar::take_health(ByteView data, Instant now) {
    constexpr unsigned good = 0;
    constexpr unsigned error = 2;
    const auto status = std::to_integer<unsigned>(data[0]);
    const std::string health =
        status == good ? ""
                       : fmt::format("it reports {} {:#06x}", status == error ? "error" : "warning",
                                     load_le<std::uint16_t>(&data[1]));
    if (std::exchange(health_, health) != health && !health.empty()) log_.warning("lidar: " + health);
    if (status == error) return ask(Request::reset, Phase::restart, now);
    const int series = info_->series();
    if (series < a2 || series >= first_c_series) return begin_scan(now);
    // The motor of an A2 is behind a board that may be missing.
    port_.write(rplidar::request(Request::board_flags, Bytes(4)));
    enter(Phase::board_flags, now);
}

void RplidarLidar::begin_scan(Instant now) {
    const bool is_express = info_->series() < first_c_series && info_->firmware >= first_with_express;
    port_.write(is_express ? rplidar::express_scan() : rplidar::request(Request::scan));
    enter(Phase::scan, now);
}

void RplidarLidar::take_points(Instant now) {
    std::vector<rplidar::Point> points;
    while (const auto point = nodes_.next()) points.push_back(*point);
    while (const auto capsule = capsules_.next())
        points.insert(points.end(), capsule->begin(), capsule->end());
    const Duration period = point_period(info_, phase_ == Phase::capsules);
    for (std::size_t i = 0; i < points.size(); ++i)
        add(points[i], now - period * static_cast<int>(points.size() - 1 - i));
    if (!points.empty()) heard_ = now;
}

void RplidarLidar::add(const rplidar::Point& point, Instant at) {
    if (point.begins_turn) sink_.end_turn();
    sink_.add({.clockwise = point.degrees * std::numbers::pi / 180.0,
               .range = point.mm > 0 ? point.mm / 1000.0 : std::numeric_limits<double>::quiet_NaN(),
               .at = at});
}

void RplidarLidar::end() {
    port_.write(rplidar::request(Request::stop));
    if (info_ && info_->series() >= a2 && info_->series() < first_c_series)
        port_.write(rplidar::motor_pwm(0));
    port_.set_lines(true, false);  // stops the motor of an A1
}

}  // namespace caribou::devices
