#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "base/bytes.hpp"
#include "base/result.hpp"
#include "motion/body.hpp"

/// The lines in which a board with sensors speaks over a serial port (docs/formats/sensor-lines.md).
namespace caribou::robot {

/// What one line says, without its end: which sensor of the plan, and what it reads.
struct SensorLine {
    std::size_t sensor = 0;
    motion::SensorReading reading{};
};

/// Code::malformed: the sentence says what is wrong with it.
Result<SensorLine> parse_sensor_line(std::string_view line, const motion::BodyPlan& plan);

/// With checksum and end, ready to be sent.
std::string sensor_line(std::string_view text);

/// Cuts bytes into lines, however they come. A line that is too long is left out, up to its end.
class LineCutter {
public:
    static constexpr std::size_t max_line = 128;  ///< bytes

    void feed(std::string_view bytes, const std::function<void(std::string_view)>& on_line);

private:
    std::string begun_;
    bool skipping_ = false;
};

}  // namespace caribou::robot
