#pragma once

#include <optional>
#include <string>

#include "cubes/cube_system.hpp"
#include "robot/navigator.hpp"

namespace caribou::robot {

/// Returns the name of the connected cube, which may be empty; nullopt if there is none.
std::optional<std::string> name_of_connected(const cubes::CubeSystem& cubes);

/// Whether the position of the connected cube is known: it was seen, and has not been moved since.
///
/// | the connected cube                            | its position                  |
/// |-----------------------------------------------|-------------------------------|
/// | is in sight, or a cube that is not recognized | is known                      |
/// | is out of sight, and moves                    | is not known                  |
/// | is out of sight, was seen a minute ago        | is not known                  |
/// | is out of sight otherwise                     | is known if it was known      |
/// | is another one than before, or there is none  | is not known                  |
class CubeLocalization {
public:
    /// Must be called after each look of the navigator. Returns whether the position is known now.
    bool update(const Navigator& navigator, const cubes::CubeSystem& cubes);
    bool is_known() const { return is_known_; }

private:
    std::optional<std::string> cube_;  ///< name of the connected one
    bool is_known_ = false;
};

}  // namespace caribou::robot
