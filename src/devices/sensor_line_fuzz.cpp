#include <cstddef>
#include <cstdint>

#include "base/check.hpp"
#include "devices/sensor_line.hpp"

/// Arbitrary bytes from a serial port: lines of bounded length, each a reading of an existing sensor or an
/// error with a message.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace caribou;
    using namespace caribou::devices;
    static const motion::BodyPlan plan{.sensors = {{"right", motion::SensorKind::encoder_right},
                                                   {"front", motion::SensorKind::range},
                                                   {"bumper", motion::SensorKind::bumper},
                                                   {"imu", motion::SensorKind::imu},
                                                   {"charger", motion::SensorKind::charger}}};
    LineCutter cutter;
    cutter.feed({reinterpret_cast<const char*>(data), size}, [](std::string_view line) {
        check(line.size() <= LineCutter::max_line, "a line has its limit");
        check(!parse_board_line(line) || !parse_sensor_line(line, plan), "a line is one or the other");
        const auto parsed = parse_sensor_line(line, plan);
        if (parsed)
            check(parsed->sensor < plan.sensors.size(), "the sensor exists");
        else
            check(!parsed.error().message.empty(), "what is refused has a reason");
    });
    return 0;
}
