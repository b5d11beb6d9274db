#include "robot_probe.hpp"

#include "give_up.hpp"

namespace caribou::bench {

void BareRobot::need_started(bool started) {
    if (!started) give_up("a robot does not move");
}

}  // namespace caribou::bench
