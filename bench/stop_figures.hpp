#pragma once

#include "report.hpp"
#include "rounds.hpp"

/// Benchmarks of the stops of a robot in trouble, on separate processes of the program. Each prints how many
/// of
/// `--count` were within the limit of docs/safety.md, and the slowest one.
namespace caribou::bench {

/// A full stop while 30 % of all packets are lost. Takes root, and enters a network namespace.
void lossy_stop(const Report& report, const Effort& effort);
/// A full stop while TCP is cut and UDP is not. Takes root, and enters a network namespace.
void tcp_cut_stop(const Report& report, const Effort& effort);
/// The stop of a robot by itself when its main thread hangs, from the hang on.
void main_silent_stop(const Report& report, const Effort& effort);
/// A full stop that is requested during RM5: until the last moment in which wheels were ordered to turn.
void rm5_stop(const Report& report, const Effort& effort);

}  // namespace caribou::bench
