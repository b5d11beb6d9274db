#include "behavior/fallback.hpp"

namespace caribou::behavior {

void Fallback::choose(Control& control, const Outcome* ended) {
    if (running()) return;
    if (ended && ended->has_succeeded()) {
        (void)control.finish(*ended);
        return;
    }
    while (next_ < size()) {
        const std::size_t turn = next_++;
        if (ask(control, turn) && start(control, turn)) return;
    }
    (void)control.finish(ended ? *ended : Outcome::failed("no child wanted to be activated"));
}

}  // namespace caribou::behavior
