#pragma once

#include <memory>
#include <string>

#include "child/program.hpp"
#include "platform/temporary_folder.hpp"

namespace caribou::tests {

/// A station and a robot as users start them: two processes of the program, paired with a key in each
/// direction. The robot `rover` has a simulated body and is driven by its station (RM3).
class Field {
public:
    /// Creates the keys of both.
    Field();

    /// Starts the station with the contents of a configuration file and further environment settings. Returns
    /// when it has printed its addresses.
    void start_station(const std::string& config = "", const Words& settings = {});
    /// Starts the robot; `more` is appended to its configuration. Returns when it is ready.
    void start_robot(const std::string& more = "", const Words& settings = {});
    /// Runs `caribou send rover WORDS...` through the station, to its end.
    ChildProcess::End send(const Words& words) const;
    /// Returns the token that lets the user of the station drive.
    std::string token() const;
    /// Returns environment settings for a program that uses these keys.
    Words environment(const std::string& keys) const;
    /// Returns the contents of a file below `scratch`.
    std::string text_of(const std::string& file) const;
    /// Creates a further key with this role on the robot, and returns its folder's name for environment().
    std::string add_person(const std::string& name, const std::string& role) const;

    TemporaryFolder scratch;
    std::unique_ptr<ChildProcess> station;
    std::unique_ptr<ChildProcess> robot;
    std::string station_at;  ///< HTTP address of the station
    std::string calls_at;    ///< UDP address of the station
    std::string robot_at;    ///< TCP address of the robot
    std::string robot_line;  ///< first line printed by the robot
};

}  // namespace caribou::tests
