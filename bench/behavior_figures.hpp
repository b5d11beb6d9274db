#pragma once

#include "report.hpp"
#include "rounds.hpp"

/// Benchmarks of the behavior engine; each function measures and reports one figure.
namespace caribou::bench {

/// Overhead of the engine over a plain virtual call, per behavior in scope and tick: a stack of 13, 200 in
/// scope, no transitions. The floor is that call, on the same objects in the same order.
void engine_ns_per_behavior(const Report& report, const Effort& effort);

/// The engine's cost with a recorder relative to that without, both above the floor. In every tick one
/// behavior ends and another begins, with changing delegates.
void recording_ratio(const Report& report, const Effort& effort);

/// 10,000 behaviors in the tree, 200 in scope, dispatchers that evaluate their children in every tick;
/// percent of a core at 1,000 ticks per second. The floor is the same scope in a tree of the size of the
/// scope.
void tree_10k_core(const Report& report, const Effort& effort);

/// Measured in the run of recording_ratio, including the recorder, after warm-up.
void allocations_per_tick(const Report& report, const Effort& effort);

/// Loading a tree of 1,000 instances from JSON text: parsing, building and checking. The floor is a pass of
/// the JSON parser over the same text.
void load_1000_ms(const Report& report, const Effort& effort);

/// The same while another tree of that size runs: its behaviors end, and the new ones begin. At most 50 ms.
void reload_ms(const Report& report, const Effort& effort);

/// Time that ten idle behaviors of a program add to a tick: answers, ten changed facts, one line in each
/// direction over a socket. At most 20 us.
void python_tick_us(const Report& report, const Effort& effort);

/// Seconds of a robot's life per second of a test that runs it in RobotInABox. At least 500.
void testkit_speedup(const Report& report, const Effort& effort);

/// The time of a thousand tests in which a robot winks at a cube for a minute. At most 60 s.
void testkit_1000_s(const Report& report, const Effort& effort);

}  // namespace caribou::bench
