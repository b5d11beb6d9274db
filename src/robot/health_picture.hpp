#pragma once

#include <optional>
#include <string>
#include <vector>

#include "motion/body.hpp"
#include "robot/robot_buffers.hpp"
#include "robot/run_modes.hpp"
#include "robot/start_up.hpp"

namespace caribou::robot {

/// How a robot is: its threads, how its start went, to which modes it may go, what of it is broken,
/// who was refused.
struct HealthPicture {
    struct Thread {
        std::string name;
        std::string state;             ///< `running`, `late` or `stopped`
        double rate = 0;               ///< of its rounds in the last second, in Hz
        std::optional<double> last{};  ///< seconds since it proved that it runs
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

/// The section `health` of docs/formats/station-api.md.
std::string to_json(const HealthPicture& picture);

}  // namespace caribou::robot
