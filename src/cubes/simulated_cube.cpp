#include "cubes/simulated_cube.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

namespace caribou::cubes {
namespace {

using namespace std::chrono_literals;

constexpr double counts_per_g = 32767.0 / 4;

/// In units of g.
struct Vector {
    double x = 0;
    double y = 0;
    double z = 0;
};

Vector gravity(UpAxis up) {
    switch (up) {
        case UpAxis::x_up: return {1, 0, 0};
        case UpAxis::x_down: return {-1, 0, 0};
        case UpAxis::y_up: return {0, 1, 0};
        case UpAxis::y_down: return {0, -1, 0};
        case UpAxis::z_up: return {0, 0, 1};
        case UpAxis::z_down: return {0, 0, -1};
        case UpAxis::unknown: break;
    }
    return {};
}

std::int16_t to_counts(double g) {
    return static_cast<std::int16_t>(std::clamp(std::round(g * counts_per_g), -32767.0, 32767.0));
}

LightProgram dark() { return {.keyframes = std::vector<Keyframe>(keyframe_slots), .start = {}}; }

}  // namespace

SimulatedCube::SimulatedCube(SimulatedCubeOptions options)
    : options_(std::move(options)), staged_(dark()), playing_(dark()) {}

int SimulatedCube::rssi(Random& noise) const {
    constexpr double at_one_metre = -59;
    return static_cast<int>(std::lround(at_one_metre - 20 * std::log10(std::max(options_.distance, 0.1)) +
                                        static_cast<double>(noise.between(-1, 1))));
}

void SimulatedCube::on_connected() {
    staged_ = dark();
    playing_ = dark();
    image_.clear();
}

void SimulatedCube::take(ByteView message, Instant now) {
    const auto decoded = decode(message);
    if (!decoded) return;
    if (const auto* keyframes = std::get_if<LightKeyframes>(&*decoded)) {
        for (std::size_t i = 0; i < LightKeyframes::count; ++i)
            if (keyframes->index + i < keyframe_slots)
                staged_.keyframes[keyframes->index + i] = keyframes->keyframes[i];
    } else if (const auto* sequence = std::get_if<LightSequence>(&*decoded)) {
        playing_ = {staged_.keyframes, sequence->start};
        plays_since_ = now;
    }
}

void SimulatedCube::take_firmware(ByteView piece) { image_ += text_of(piece); }

void SimulatedCube::restart() {
    const std::string image = std::exchange(image_, {});
    options_.version = image.substr(0, std::min(image.find('\n'), max_value_size));
}

Acceleration SimulatedCube::acceleration(Instant now, Random& noise) const {
    Acceleration message{.tap_count = taps_};
    Instant at = now - 20ms;
    for (auto& sample : message.samples) {
        Vector v = gravity(up_);
        const auto jitter = [&](double amplitude) { return amplitude * (2 * noise.unit() - 1); };
        const double unrest = at < moves_until_ ? 0.5 : 0.01;
        if (at < shakes_until_) v.x += (at.time_since_epoch() / 60ms) % 2 == 0 ? 2.5 : -2.5;
        sample = {to_counts(v.x + jitter(unrest)), to_counts(v.y + jitter(unrest)),
                  to_counts(v.z + jitter(unrest))};
        at += 10ms;
    }
    return message;
}

Voltage SimulatedCube::voltage() const {
    return {static_cast<std::uint16_t>(std::lround(options_.volts * 1024 / 3.6))};
}

LedColors SimulatedCube::leds(Instant now) const { return colors_at(playing_, now - plays_since_); }

}  // namespace caribou::cubes
