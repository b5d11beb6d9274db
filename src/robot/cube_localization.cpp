#include "robot/cube_localization.hpp"

#include <algorithm>
#include <utility>

namespace caribou::robot {

std::optional<std::string> name_of_connected(const cubes::CubeSystem& cubes) {
    const auto address = cubes.comms.cube();
    if (!address || cubes.comms.link_state() != cubes::LinkState::connected) return std::nullopt;
    const auto seen = cubes.comms.seen().find(*address);
    return seen == cubes.comms.seen().end() ? std::string() : seen->second.name;
}

bool CubeLocalization::update(const Navigator& navigator, const cubes::CubeSystem& cubes) {
    std::optional<std::string> connected = name_of_connected(cubes);
    const bool is_same = std::exchange(cube_, connected) == connected;
    const auto is_ours = [&](const auto& seen) { return seen.name.empty() || seen.name == *connected; };
    if (!connected)
        is_known_ = false;
    else if (std::ranges::any_of(navigator.sights().cubes, is_ours))
        is_known_ = true;
    else
        is_known_ = is_known_ && is_same && !cubes.sensing().moving() &&
                    std::ranges::any_of(navigator.cubes(), is_ours);
    return is_known_;
}

}  // namespace caribou::robot
