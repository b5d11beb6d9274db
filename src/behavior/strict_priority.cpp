#include "behavior/strict_priority.hpp"

namespace caribou::behavior {

void StrictPriority::choose(Control& control, const Outcome*) {
    if (running() && interrupts_ == Interrupts::no) return;
    const std::size_t end = running().value_or(size());
    for (std::size_t i = 0; i < end; ++i)
        if (ask(control, i) && start(control, i)) return;
    if (!running()) end_unless_waiting(control);
}

}  // namespace caribou::behavior
