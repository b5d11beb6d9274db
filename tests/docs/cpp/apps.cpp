#include <chrono>

#include <caribou/bus/app_trial.hpp>

#include <apps.1.inc>

#include <apps.2.inc>

#include <apps.3.inc>

void try_depth() {
    using namespace std::chrono_literals;
#include <apps.4.inc>
}
