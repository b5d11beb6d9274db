#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/bytes.hpp"
#include "base/result.hpp"
#include "motion/body.hpp"

/// The protocol of a sensor board on a serial port (docs/formats/sensor-lines.md).
namespace caribou::devices {

/// One line without its end: the index of the sensor in the plan, and its reading.
struct SensorLine {
    std::size_t sensor = 0;
    motion::SensorReading reading{};
};

/// Fails with Code::malformed and a message.
Result<SensorLine> parse_sensor_line(std::string_view line, const motion::BodyPlan& plan);

/// What a board that drives the motors says about itself.
struct BoardLine {
    std::string name;
    std::int32_t stop_ms = 0;  ///< from the last order until it stops by itself
};
/// Reads `board NAME MILLISECONDS`. None if the line is another one, or wrong.
std::optional<BoardLine> parse_board_line(std::string_view line);

/// Returns the line with checksum and end.
std::string sensor_line(std::string_view text);

/// Splits bytes into lines. A line that is too long is dropped up to its end.
class LineCutter {
public:
    static constexpr std::size_t max_line = 128;  ///< bytes

    /// Calls `on_line` for each complete line, without its end.
    void feed(std::string_view bytes, const std::function<void(std::string_view)>& on_line);

private:
    std::string begun_;
    bool skipping_ = false;
};

}  // namespace caribou::devices
