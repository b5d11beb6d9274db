#pragma once

#include <memory>
#include <string>

#include "child/program.hpp"
#include "platform/temporary_folder.hpp"

namespace caribou::tests {

/// A station and a robot as people start them: two processes of the program, paired with a key each way.
/// The robot `rover` has a simulated body and is driven by its station (RM3).
class Field {
public:
    /// Makes the keys of both.
    Field();

    void start_station();
    /// Starts the robot; `more` is added to its configuration. Returns when it is ready.
    void start_robot(const std::string& more = "");
    /// `caribou send rover WORDS...` through the station, to its end.
    ChildProcess::End send(const Words& words) const;
    /// Settings of a program that uses these keys.
    Words environment(const std::string& keys) const;
    /// Makes one more key on the robot, with this role, and returns its folder's name, for environment().
    std::string add_person(const std::string& name, const std::string& role) const;

    TemporaryFolder scratch;
    std::unique_ptr<ChildProcess> station;
    std::unique_ptr<ChildProcess> robot;
    std::string station_at;  ///< HTTP address of the station
    std::string calls_at;    ///< UDP address of the station
    std::string robot_at;    ///< TCP address of the robot
    std::string robot_line;  ///< the robot's first line
};

}  // namespace caribou::tests
