#pragma once

#include <chrono>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include <test_paths.hpp>
#include "child/child_process.hpp"

/// Starts `caribou` like a user.
namespace caribou::tests {

/// Much longer than anything takes on a busy machine.
constexpr Duration limit = std::chrono::seconds(60);

using Words = std::vector<std::string>;

/// Returns the path of the program: `$CARIBOU_PROGRAM`, such as an installed one, or that of the build.
inline std::string program_path() {
    const char* const path = std::getenv("CARIBOU_PROGRAM");
    return path != nullptr ? path : in_build("caribou");
}

/// Returns a command line: the path of the program, then `words`.
inline Words command(const Words& words) {
    Words all{program_path()};
    all.insert(all.end(), words.begin(), words.end());
    return all;
}

/// Waits for the end of a program; the test fails if it is still running after the limit.
inline ChildProcess::End end_of(ChildProcess& program) {
    auto end = program.wait(limit);
    return end ? std::move(*end) : ChildProcess::End{-1, "", "it does not end"};
}

/// Runs the program to its end.
inline ChildProcess::End run(const Words& words, const Words& environment = {}) {
    ChildProcess program(command(words), environment);
    return end_of(program);
}

}  // namespace caribou::tests
