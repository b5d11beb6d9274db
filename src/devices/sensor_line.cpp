#include "devices/sensor_line.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include <fmt/format.h>

namespace caribou::devices {
namespace {

unsigned checksum(std::string_view text) {
    unsigned sum = 0;
    for (const char c : text) sum ^= static_cast<unsigned char>(c);
    return sum;
}

template <class Number>
std::optional<Number> number(std::string_view text, int base = 10) {
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    return error == std::errc{} && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

std::vector<std::string_view> words_of(std::string_view text) {
    std::vector<std::string_view> words;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        words.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return words;
}

std::size_t values_of(motion::SensorKind kind) {
    switch (kind) {
        case motion::SensorKind::imu:
        case motion::SensorKind::battery: return 3;
        case motion::SensorKind::charger: return 2;
        case motion::SensorKind::lidar:
        case motion::SensorKind::eyes: return 0;  // too much data for a line
        default: return 1;
    }
}

motion::SensorReading reading_of(motion::SensorKind kind, const std::vector<std::int64_t>& values) {
    const auto thousandth = [&](std::size_t i) { return static_cast<double>(values[i]) / 1000.0; };
    switch (kind) {
        case motion::SensorKind::encoder_right:
        case motion::SensorKind::encoder_left: return values[0];
        case motion::SensorKind::range: return thousandth(0);
        case motion::SensorKind::imu: return motion::ImuReading{thousandth(0), thousandth(1), thousandth(2)};
        case motion::SensorKind::battery:
            return motion::BatteryReading{thousandth(0), thousandth(1), thousandth(2)};
        case motion::SensorKind::charger: return motion::ChargerReading{values[0] != 0, thousandth(1)};
        default: return values[0] != 0;
    }
}

std::unexpected<Error> malformed(std::string_view what) { return fail(Code::malformed, std::string(what)); }

/// Returns the line without its checksum, which is right.
Result<std::string_view> checked_text(std::string_view line) {
    const std::size_t star = line.rfind('*');
    if (star == std::string_view::npos) return malformed("the line has no checksum");
    const auto sum = number<unsigned>(line.substr(star + 1), 16);
    if (line.size() != star + 3 || sum != checksum(line.substr(0, star)))
        return malformed("the checksum is wrong");
    return line.substr(0, star);
}

}  // namespace

std::optional<BoardLine> parse_board_line(std::string_view line) {
    const auto text = checked_text(line);
    if (!text) return std::nullopt;
    const std::vector<std::string_view> words = words_of(*text);
    if (words.size() != 3 || words[0] != "board") return std::nullopt;
    const auto stop_ms = number<std::int32_t>(words[2]);
    if (!stop_ms) return std::nullopt;
    return BoardLine{.name = std::string(words[1]), .stop_ms = *stop_ms};
}

Result<SensorLine> parse_sensor_line(std::string_view line, const motion::BodyPlan& plan) {
    const auto text = checked_text(line);
    if (!text) return fail(text.error());
    const std::vector<std::string_view> words = words_of(*text);
    if (words.empty()) return malformed("the line is empty");
    const auto sensor = std::ranges::find(plan.sensors, words[0], &motion::SensorPlan::name);
    if (sensor == plan.sensors.end()) return malformed(fmt::format("there is no sensor `{}`", words[0]));
    const auto index = static_cast<std::size_t>(sensor - plan.sensors.begin());

    const std::size_t wanted = values_of(sensor->kind);
    if (wanted == 0 || words.size() != wanted + 1)
        return malformed(fmt::format("`{}` has {} values instead of {}", words[0], words.size() - 1, wanted));
    if (sensor->kind == motion::SensorKind::range && words[1] == "-")
        return SensorLine{index, std::numeric_limits<double>::infinity()};
    std::vector<std::int64_t> values;
    for (std::size_t i = 1; i < words.size(); ++i) {
        const auto value = number<std::int64_t>(words[i]);
        if (!value) return malformed(fmt::format("`{}` is not a whole number", words[i]));
        values.push_back(*value);
    }
    if (sensor->kind == motion::SensorKind::range && values[0] < 0)
        return malformed("a distance is below zero");
    return SensorLine{index, reading_of(sensor->kind, values)};
}

std::string sensor_line(std::string_view text) { return fmt::format("{}*{:02X}\n", text, checksum(text)); }

void LineCutter::feed(std::string_view bytes, const std::function<void(std::string_view)>& on_line) {
    for (const char c : bytes) {
        if (c != '\n') {
            skipping_ = skipping_ || begun_.size() >= max_line;
            if (!skipping_) begun_ += c;
            continue;
        }
        if (!begun_.empty() && begun_.back() == '\r') begun_.pop_back();
        if (!skipping_ && !begun_.empty()) on_line(begun_);
        begun_.clear();
        skipping_ = false;
    }
}

}  // namespace caribou::devices
