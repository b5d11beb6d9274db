#pragma once

#include <optional>
#include <string>
#include <vector>

#include "motion/body.hpp"
#include "robot/robot_buffers.hpp"
#include "robot/run_modes.hpp"
#include "robot/start_up.hpp"

namespace caribou::robot {

/// The health of a robot: threads, start-up, possible mode changes, faults and refusals.
struct HealthPicture {
    /// The state of one thread.
    struct Thread {
        std::string name;
        std::string state;             ///< `running`, `late` or `stopped`
        double rate = 0;               ///< rounds in the last second, in Hz
        std::optional<double> last{};  ///< seconds since its last sign of life
        std::string why{};
    };
    struct Switch {
        link::RunMode mode{};
        std::optional<link::Objection> objection{};
    };
    std::vector<Thread> threads{};
    std::vector<StartUp::Taken> steps{};
    std::vector<Switch> may{};
    std::vector<motion::BodyFault> faults{};
    LinkBoard link{};
};

/// Returns the section `health` of docs/formats/station-api.md.
std::string to_json(const HealthPicture& picture);

}  // namespace caribou::robot
