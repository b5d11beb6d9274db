#include "robot/com_modes.hpp"

namespace caribou::robot {

void ComModes::heard(Instant at) {
    if (rules_.wanted.receiving) last_heard_ = at;
}

link::ComMode ComModes::mode(Instant now) const {
    return link::com_mode_of({.sending = rules_.wanted.sending && sending_,
                              .receiving = last_heard_ && now - *last_heard_ < rules_.link_lost});
}

std::optional<Instant> ComModes::due(Instant now) const {
    if (!last_heard_ || now - *last_heard_ >= rules_.link_lost) return std::nullopt;
    return *last_heard_ + rules_.link_lost;
}

}  // namespace caribou::robot
