#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "motion/movement.hpp"
#include "station/drive_answers.hpp"
#include "station/drive_hold.hpp"
#include "station/fleet_picture.hpp"

namespace caribou::station {

/// The meaning of a key.
struct DriveKey {
    enum class What { none, move, halt, full_stop, release_stop, take_lease, level, quit };
    What what = What::none;
    motion::MovementCommand movement{};  ///< for `move`
    int level = 0;                       ///< for `level`
};
/// Removes and returns the first key from the bytes of a terminal.
DriveKey take_key(std::string_view& keys, int level);

/// Everything shown on the screen.
struct DriveState {
    std::string robot{};
    const RobotPicture* picture = nullptr;  ///< null: unknown to the station
    double now = 0;                         ///< by the station's clock
    int level = 1;
    std::optional<motion::MovementCommand> held{};
    std::string last_answer{};
    std::optional<DriveAnswers::Refused> refused{};
    double refused_age = 0;  ///< seconds since `refused`
    std::string notice{};
    bool connected = true;     ///< connection to the station
    double silent = 0;         ///< seconds since the last message of the station
    bool interrupted = false;  ///< the held key is ignored until it was released
};
/// Seconds of silence after which a station, which sends something at least once per second, is shown as
/// silent.
inline constexpr double silence_limit = 1.5;
/// Returns lines of at most `columns` characters, each terminated.
std::string drive_screen(const DriveState& state, int columns);

}  // namespace caribou::station
