#include "bus/skew.hpp"

#include <cmath>

namespace caribou::bus {

void Skew::start(double said_by_broker) {
    stage_ = Stage::passing_first;
    seconds_ = std::isfinite(said_by_broker) ? said_by_broker : 0;
}

void Skew::measure(double broker, double sent, double received) {
    const double measured = 0.5 * ((broker - received) + (broker - sent));
    if (!std::isfinite(measured)) return;
    switch (stage_) {
        case Stage::passing_first: stage_ = Stage::taking_first; return;
        case Stage::taking_first:
            stage_ = Stage::filtering;
            seconds_ = measured;
            return;
        case Stage::filtering: seconds_ = 0.9 * seconds_ + 0.1 * measured; return;
    }
}

}  // namespace caribou::bus
