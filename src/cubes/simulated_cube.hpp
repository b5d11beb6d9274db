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
    double distance = 1.0;  ///< meters
    std::string version = "1.0.0";
    double volts = 1.5;
    bool streams = true;  ///< sends acceleration and voltage while connected
};

/// A simulated cube: implements the firmware of a real one, and the actions of people.
class SimulatedCube {
public:
    static constexpr double range = 10;         ///< meters
    static constexpr double least_volts = 0.9;  ///< below this voltage it is dead

    explicit SimulatedCube(SimulatedCubeOptions options);

    CubeAddress address() const { return options_.address; }
    const std::string& name() const { return options_.name; }
    const std::string& version() const { return options_.version; }
    bool streams() const { return options_.streams; }
    /// Returns whether the radio can receive it.
    bool is_heard() const { return options_.distance <= range && options_.volts >= least_volts; }
    int rssi(Random& noise) const;

    // Actions and conditions.
    void set_distance(double metres) { options_.distance = metres; }
    void set_volts(double volts) { options_.volts = volts; }
    void tap() { ++taps_; }
    void turn(UpAxis up) { up_ = up; }
    /// Simulates that the cube is carried around, or shaken, until the given time.
    void move_until(Instant until) { moves_until_ = until; }
    void shake_until(Instant until) { shakes_until_ = until; }

    // The firmware.
    void on_connected();
    /// Processes a message. Malformed messages have no effect.
    void take(ByteView message, Instant now);
    void take_firmware(ByteView piece);
    /// Starts the new firmware: the first line of its image is its version.
    void restart();
    /// Returns the three samples before now.
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
