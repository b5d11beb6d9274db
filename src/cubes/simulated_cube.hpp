#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "base/random.hpp"
#include "cubes/cube_sensing.hpp"
#include "cubes/light_program.hpp"
#include "cubes/radio.hpp"
#include "loop/time.hpp"

namespace caribou::cubes {

struct SimulatedCubeOptions {
    CubeAddress address{0xc0be'0000'0001};
    std::string name = "Vector Cube";
    double distance = 1.0;  ///< metres
    std::string version = "1.0.0";
    double volts = 1.5;
    bool streams = true;  ///< sends acceleration and voltage while connected
};

/// A cube that is not there: does what the firmware of a real one does, and what people do to it.
class SimulatedCube {
public:
    static constexpr double range = 10;         ///< metres
    static constexpr double least_volts = 0.9;  ///< below, it is dead

    explicit SimulatedCube(SimulatedCubeOptions options);

    CubeAddress address() const { return options_.address; }
    const std::string& name() const { return options_.name; }
    const std::string& version() const { return options_.version; }
    bool streams() const { return options_.streams; }
    /// Whether the radio can hear it.
    bool is_heard() const { return options_.distance <= range && options_.volts >= least_volts; }
    int rssi(Random& noise) const;

    // What happens to it.
    void set_distance(double metres) { options_.distance = metres; }
    void set_volts(double volts) { options_.volts = volts; }
    void tap() { ++taps_; }
    void turn(UpAxis up) { up_ = up; }
    /// Carried around, or shaken, until then.
    void move_until(Instant until) { moves_until_ = until; }
    void shake_until(Instant until) { shakes_until_ = until; }

    // Its firmware.
    void on_connected();
    /// What is no message for it has no effect.
    void take(ByteView message, Instant now);
    void take_firmware(ByteView piece);
    /// The new firmware starts: the first line of its image is its version.
    void restart();
    /// The three samples before now.
    Acceleration acceleration(Instant now, Random& noise) const;
    Voltage voltage() const;
    LedColors leds(Instant now) const;

private:
    SimulatedCubeOptions options_;
    UpAxis up_ = UpAxis::z_up;
    std::uint8_t taps_ = 0;
    Instant moves_until_ = Instant::min();
    Instant shakes_until_ = Instant::min();
    std::string image_;
    LightProgram staged_;
    LightProgram playing_;
    Instant plays_since_{};
};

}  // namespace caribou::cubes
