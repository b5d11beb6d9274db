#pragma once

#include "report.hpp"
#include "rounds.hpp"

/// The figures of the behavior engine, each measured and reported by one of these.
namespace caribou::bench {

/// What the engine adds to a plain virtual call, per behavior in scope and tick: a stack of 13, 200
/// in scope, nothing happens. The floor is that call, on the same objects in the same order.
void engine_ns_per_behavior(const Report& report, const Effort& effort);

/// The engine's cost with a recorder over that without, both above the floor. In every tick one
/// behavior ends, another begins, and their delegates come and go.
void recording_ratio(const Report& report, const Effort& effort);

/// 10,000 behaviors in the tree, 200 in scope, dispatchers that ask their children in every tick;
/// per cent of a core at 1,000 ticks per second. The floor is the same scope in a tree of its own
/// size.
void tree_10k_core(const Report& report, const Effort& effort);

/// In the run of recording_ratio, recorder included, after it has warmed up.
void allocations_per_tick(const Report& report, const Effort& effort);

/// A tree of 1,000 instances from JSON text: read, built and checked. The floor is a pass of the
/// JSON parser over the same text.
void load_1000_ms(const Report& report, const Effort& effort);

}  // namespace caribou::bench
