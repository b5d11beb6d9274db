#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"
#include "base/pose.hpp"
#include "base/result.hpp"
#include "link/com_mode.hpp"
#include "link/run_mode.hpp"
#include "motion/movement.hpp"

namespace caribou::link {

/// `reason` of telemetry whose movement_class means nothing, because propulsion does not report.
inline constexpr std::string_view motion_unknown = "motion_unknown";

/// What a robot knows of itself at one moment. Fits a datagram, whatever it holds.
struct Telemetry {
    /// Of a wheel: what it was told and what it does.
    struct Wheel {
        int level = 0;
        float speed = 0;  ///< m/s; not a number: unknown

        friend bool operator==(const Wheel&, const Wheel&) = default;
    };
    struct Range {
        float bearing = 0;   ///< rad, to the left of ahead; exact to 1 mrad
        float distance = 0;  ///< m, up to 65; exact to 1 mm

        friend bool operator==(const Range&, const Range&) = default;
    };
    struct Battery {
        float level = 0;  ///< from 0 to 1
        float volts = 0;
        float amperes = 0;  ///< into the battery above 0
        bool on_charger = false;

        friend bool operator==(const Battery&, const Battery&) = default;
    };
    /// How old the reading of a sensor is.
    struct Age {
        std::string sensor;
        double seconds = 0;  ///< up to 655; exact to 10 ms

        friend bool operator==(const Age&, const Age&) = default;
    };

    std::uint64_t number = 0;  ///< of the round in which it was collected
    double stamp = 0;          ///< UNIX seconds by the robot's clock
    RunMode run_mode = RunMode::init;
    std::optional<WaitReason> waits_for{};  ///< in RM1, and only there
    ComMode com_mode = ComMode::cm0;
    motion::MovementState movement_state = motion::MovementState::unknown;
    motion::MovementClass movement_class = motion::MovementClass::halt;  ///< that is driven
    bool stopped = false;                                                ///< a full stop is latched
    Wheel right{};
    Wheel left{};
    std::string winner{};  ///< whose command is driven
    std::string reason{};  ///< why it is not what was asked for
    Pose pose{};           ///< in the frame of the map, which is that of the odometry at the start
    Battery battery{};
    std::string behavior{};  ///< the top of the stack, in RM2
    std::vector<Range> ranges{};
    std::vector<std::string> faults{};
    std::vector<Age> ages{};
    Pose odom_in_map{};  ///< the odometry frame in the map frame (map->odom); zero without a map

    friend bool operator==(const Telemetry&, const Telemetry&) = default;
};

/// What is longer is cut when it is sent.
struct TelemetryLimits {
    static constexpr std::size_t winner = 16;
    static constexpr std::size_t reason = 96;
    static constexpr std::size_t behavior = 48;
    static constexpr std::size_t ranges = 36;
    static constexpr std::size_t faults = 6;
    static constexpr std::size_t fault = 40;
    static constexpr std::size_t ages = 16;
    static constexpr std::size_t sensor = 20;
};

void append_telemetry(Bytes& to, const Telemetry& telemetry);
Result<Telemetry> decode_telemetry(ByteView bytes);

}  // namespace caribou::link
