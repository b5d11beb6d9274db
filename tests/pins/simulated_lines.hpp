#pragma once

namespace caribou::tests {

/// The lines of SharedPins, as the functions of libgpiod in pins_gpiod_*.cpp use them.
struct SimulatedLines {
    /// Returns whether a test has provided SharedPins.
    static bool exist();
    static void take_output(unsigned number, bool high);
    static void set(unsigned number, bool high);
    /// Returns the level; hangs for an input if the test says so.
    static bool get(unsigned number, bool is_output);
};

}  // namespace caribou::tests
