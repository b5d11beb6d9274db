#pragma once

#include "robot/own_classes.hpp"

namespace caribou {

/// The complete main() of a robot with classes of its own: `caribou robot`, with all of its options, where
/// files of trees can also name what `setup` registers.
///
///     int main(int argc, char** argv) {
///         return caribou::run_robot(argc, argv, [](auto& classes, const auto& robot) { … });
///     }
///
/// For `setup` see AddOwnClasses. If it throws, no robot is started. Returns the exit status: 0 after a
/// signal, 1 after a run-time error, 2 for an invalid command line, 10 after RM0.
int run_robot(int argc, char** argv, robot::AddOwnClasses setup);

}  // namespace caribou
