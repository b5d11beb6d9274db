#include "behavior/overrun_watch.hpp"

namespace caribou::behavior {

void OverrunWatch::begin_tick() {
    if (on()) tick_began_ = options_.clock->now();
}

void OverrunWatch::end_update(Who who) {
    const Duration took = options_.clock->now() - update_began_;
    if (slowest_.who == nobody || took > slowest_.took) slowest_ = {who, took};
}

void OverrunWatch::end_tick(Journal& journal) {
    if (!on()) return;
    const Duration took = options_.clock->now() - tick_began_;
    const bool timed = timing();
    if (timed) --ticks_left_;
    if (took > options_.budget) {
        ++overruns_;
        journal.note(Overran{took, options_.budget});
        if (timed) name_slowest(journal);
        ticks_left_ = options_.timed_ticks;
    } else if (timed && ticks_left_ == 0) {
        name_slowest(journal);
    }
}

void OverrunWatch::name_slowest(Journal& journal) {
    if (slowest_.who != nobody) journal.note(slowest_);
    slowest_ = {nobody, {}};
}

}  // namespace caribou::behavior
