#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "cubes/cube_message.hpp"
#include "loop/time.hpp"

namespace caribou::cubes {

/// The orientation of the cube: the axis that points up.
enum class UpAxis : std::uint8_t { unknown, x_up, x_down, y_up, y_down, z_up, z_down };
std::string_view to_string(UpAxis axis);
/// Returns the orientation of that name. Fails with a suggestion if there is none.
Result<UpAxis> up_axis_from(std::string_view name);

/// Something that happened to a cube.
struct CubeEvent {
    enum class Kind : std::uint8_t {
        tapped,
        double_tapped,  ///< follows the second `tapped`
        moved,
        stopped_moving,
        up_axis_changed,
        shaken,
        battery_low,
        accelerometer_failed,
    };
    Kind kind;
    UpAxis up_axis = UpAxis::unknown;  ///< the current orientation

    friend bool operator==(const CubeEvent&, const CubeEvent&) = default;
};
std::string_view to_string(CubeEvent::Kind kind);
/// Returns `tapped` or `up_axis_changed to x_up`.
std::string describe(const CubeEvent& event);

struct SensingOptions {
    Duration double_tap = std::chrono::milliseconds(500);  ///< maximum time between the two taps
    double moved_by = 1.5;                                 ///< deviation from rest in m/s²
    Duration still_for = std::chrono::milliseconds(500);   ///< until it counts as stopped
    Duration up_for = std::chrono::milliseconds(150);      ///< until a new axis is accepted
    double shaken_by = 12;                                 ///< deviation from rest in m/s²
    std::size_t shakes = 4;                                ///< changes of direction that count as shaking
    Duration shake_window = std::chrono::seconds(1);       ///< in which they have to occur
    double least_volts = 0.5;                              ///< readings outside are invalid
    double most_volts = 2.5;
    double low_volts = 1.1;
    std::size_t low_readings = 5;  ///< consecutive low readings
};

/// Derives events from the messages of a connected cube.
class CubeSensing {
public:
    explicit CubeSensing(SensingOptions options = {}) : options_(options) {}

    /// Discards all state, for a new connection.
    void reset();
    std::vector<CubeEvent> take(const CubeMessage& message, Instant now);

    struct Vector {
        double x = 0;
        double y = 0;
        double z = 0;
    };
    /// Returns the latest sample in m/s², or nullopt if there is none.
    const std::optional<Vector>& acceleration() const { return sample_; }
    /// Returns the number of taps since the cube was connected.
    std::uint64_t tapped() const { return tapped_; }
    UpAxis up_axis() const { return up_axis_; }
    bool moving() const { return moving_; }
    bool battery_low() const { return battery_low_; }
    /// Returns the last valid reading of the battery, or nullopt if there is none.
    std::optional<double> volts() const { return volts_; }

private:
    using Events = std::vector<CubeEvent>;

    void take_taps(std::uint8_t count, Instant now, Events& events);
    void take_sample(Vector sample, Instant now, Events& events);
    void watch_motion(double unrest, Instant now, Events& events);
    void watch_shaking(Vector off_rest, Instant now, Events& events);
    void watch_axis(Instant now, Events& events);
    void take_voltage(double volts, Events& events);
    void add(Events& events, CubeEvent::Kind kind) const { events.push_back({kind, up_axis_}); }

    SensingOptions options_;
    std::optional<std::uint8_t> taps_;
    std::uint64_t tapped_ = 0;
    std::optional<Vector> sample_;
    std::optional<Instant> last_tap_;
    std::optional<Vector> rest_;  ///< gravity, as a slow moving average
    bool moving_ = false;
    Instant last_unrest_{};
    int swing_ = 0;  ///< the direction of the last strong sample
    std::vector<Instant> swings_;
    UpAxis up_axis_ = UpAxis::unknown;
    UpAxis candidate_ = UpAxis::unknown;
    Instant candidate_since_{};
    std::optional<double> volts_;
    std::size_t low_readings_ = 0;
    bool battery_low_ = false;
};

}  // namespace caribou::cubes
