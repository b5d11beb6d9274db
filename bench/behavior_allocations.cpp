// Counts the allocations of the engine. operator new is replaced for the whole program, but only read here.

#include <cstdlib>
#include <new>

#include "behavior/recorder.hpp"
#include "behavior_figures.hpp"
#include "behavior_robot.hpp"

namespace {
std::size_t allocations = 0;
}  // namespace

void* operator new(std::size_t size) {
    ++allocations;
    void* const memory = std::malloc(size);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace caribou::bench {
namespace {

constexpr int warm_up = 10'000;  // ticks
constexpr int measured = 100'000;

}  // namespace

void allocations_per_tick(const Report& report, const Effort&) {
    Robot robot({.busy = true});
    behavior::Recorder recorder(robot.runner());
    robot.runner().add_observer(recorder);
    std::size_t before = 0;
    for (int i = 0; i < warm_up + measured; ++i) {
        if (i == warm_up) before = allocations;
        robot.tick();
        if (i % 1000 == 999) recorder.forget();
    }
    report.add({.metric = "allocations_per_tick",
                .value = static_cast<double>(allocations - before) / measured,
                .unit = "allocations"});
}

}  // namespace caribou::bench
