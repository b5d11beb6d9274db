#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "loop/time.hpp"
#include "platform/descriptor.hpp"

namespace caribou {

/// Keeps other programs from using the stored state and the devices of a robot. Held until the last process
/// that has it ends, however it ends: by the program that was started, its guard and the robot.
class RobotLock {
public:
    /// The program that has the lock, for the message of others.
    enum class Holder : std::uint8_t { robot, self_check, body_check };
    struct Plan {
        std::string name;  ///< of the robot
        std::string file;  ///< next to its state; created, with its folder; contains the id of the process
        std::vector<std::string> devices{};  ///< one that cannot be opened is not locked
        Holder holder = Holder::robot;
        pid_t guard = 0;  ///< of this process; 0: it has none
        /// For processes of a program that was killed, which end a little later.
        Duration patience{};
    };

    /// Takes the locks, or adopts those that were passed to this process. Fails with Code::refused, naming
    /// the other process, if it still has one of them after `patience`, or naming the obstacle if the file
    /// cannot be opened. Fails with Code::io if its folder cannot be made or the disk cannot be written.
    static Result<RobotLock> take(const Plan& plan);

    /// Returns the process that a signal to end the robot is sent to: the guard of the robot that has locked
    /// this file, or that robot if it has none; nullopt if no robot has locked it.
    static std::optional<pid_t> process_to_signal(const std::string& file);

    /// Returns the setting NAME=VALUE with which a child adopts the locks; it has to inherit descriptors().
    std::string setting() const;
    std::vector<int> descriptors() const;
    /// Lets the next image of this process adopt the locks. No other thread may run.
    void pass_to_fresh_image() const;

private:
    RobotLock() = default;

    std::vector<Descriptor> files_;
};

/// Returns the devices that the words of a command name: `/dev/ttyUSB0`, `--port=/dev/ttyUSB0`, or within the
/// text of `sh -c`.
std::vector<std::string> devices_named_in(const std::vector<std::string>& words);

}  // namespace caribou
