#include "devices/board_base.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace caribou::devices {
namespace {

using namespace std::chrono_literals;

constexpr Duration ask_again = 500ms;
constexpr Duration greeting_time = 1s;
constexpr std::int32_t longest_stop_ms = 1000;

std::string_view word_of(motion::BodyLights lights) {
    switch (lights) {
        case motion::BodyLights::off: return "off";
        case motion::BodyLights::asleep: return "asleep";
        case motion::BodyLights::awake: return "awake";
        case motion::BodyLights::driven: return "driven";
        case motion::BodyLights::alarm: return "alarm";
    }
    return "off";
}

}  // namespace

BoardBase::BoardBase(motion::BodyPlan plan, DevicePort& port, Log& log)
    : plan_(std::move(plan)), port_(port), log_(log), heard_(plan_.sensors.size()) {}

void BoardBase::begin(Instant now) {
    now_ = asked_ = now;
    port_.discard_input();
    // Ends a line that a driver before has begun.
    port_.write(bytes_of("\n"));
    say("hello");
}

void BoardBase::say(std::string_view text) { port_.write(bytes_of(sensor_line(text))); }

void BoardBase::tick(Instant now) {
    now_ = now;
    if (line_at_ && now - *line_at_ > silence_limit && is_ready())
        trouble_ = fmt::format("the board is silent for more than {} ms", silence_limit / 1ms);
    if (stops_without_feed_ms_ || now - asked_ < ask_again) return;
    asked_ = now;
    say("hello");
}

void BoardBase::on_bytes(ByteView bytes, Instant now) {
    now_ = now;
    lines_.feed(text_of(bytes), [&](std::string_view line) { take(line, now); });
}

void BoardBase::take(std::string_view line, Instant now) {
    if (const auto board = parse_board_line(line)) {
        line_at_ = now;
        return greet(board->name, board->stop_ms);
    }
    auto heard = parse_sensor_line(line, plan_);
    if (!heard) return;
    line_at_ = now;
    heard_.at(heard->sensor) = {std::move(heard->reading), now};
}

void BoardBase::greet(std::string_view name, std::int32_t stop_ms) {
    if (stops_without_feed_ms_) {
        // It says so by itself when it starts, and its encoders begin at zero. Right after the first time
        // this is the answer to a question that crossed it.
        if (now_ - greeted_ > greeting_time) trouble_ = "the board has started anew";
        return;
    }
    greeted_ = now_;
    if (stop_ms < 0 || stop_ms > longest_stop_ms) {
        log_.error(fmt::format("the board `{}` stops by itself after {} ms; expected 0 to {} ms", name,
                               stop_ms, longest_stop_ms));
        return;
    }
    stops_without_feed_ms_ = stop_ms;
    log_.info(fmt::format("the board `{}` stops {} ms after its last order", name, stop_ms));
}

bool BoardBase::is_ready() const {
    if (!stops_without_feed_ms_) return false;
    for (std::size_t i = 0; i < heard_.size(); ++i)
        if (plan_.sensors[i].required && std::holds_alternative<motion::NoReading>(heard_[i].reading))
            return false;
    return true;
}

motion::SensorReading BoardBase::read(std::size_t sensor) const {
    const Heard& heard = heard_.at(sensor);
    if (!trouble_.empty() || now_ - heard.at > stale_after) return motion::NoReading{};
    return heard.reading;
}

void BoardBase::enable(bool enabled) {
    enabled_ = enabled;
    drive({});
}

void BoardBase::drive(motion::WheelSpeeds speeds) {
    if (!enabled_) return say("stop");
    const auto millimeters = [](double speed) { return static_cast<int>(std::trunc(speed * 1000.0)); };
    say(fmt::format("drive {} {}", millimeters(speeds.left), millimeters(speeds.right)));
}

void BoardBase::set_lights(motion::BodyLights lights) { say(fmt::format("lights {}", word_of(lights))); }

}  // namespace caribou::devices
