#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "motion/movement.hpp"
#include "station/drive_hold.hpp"
#include "station/fleet_picture.hpp"

namespace caribou::station {

/// What a key does.
struct DriveKey {
    enum class What { none, move, halt, full_stop, release_stop, take_lease, level, quit };
    What what = What::none;
    motion::MovementCommand movement{};  ///< of `move`
    int level = 0;                       ///< of `level`
};
/// Takes the first key off the bytes of a terminal.
DriveKey take_key(std::string_view& keys, int level);

/// All that is shown.
struct DriveState {
    std::string robot{};
    const RobotPicture* picture = nullptr;  ///< null: the station does not know it
    double now = 0;                         ///< by the station's clock
    int level = 1;
    std::optional<motion::MovementCommand> held{};
    std::string last_answer{};
    std::string notice{};
    bool connected = true;  ///< to the station
};
/// Lines of at most `columns` characters, each with its end.
std::string drive_screen(const DriveState& state, int columns);

}  // namespace caribou::station
