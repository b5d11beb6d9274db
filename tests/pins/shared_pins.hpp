#pragma once

#include <array>
#include <type_traits>

namespace caribou::tests {

/// The environment variable that names the file of SharedPins.
constexpr const char* pins_variable = "CARIBOU_TEST_PINS";

/// Simulated GPIO lines and hanging device calls, in a file that the test and the program under test both
/// map. All fields are accessed with load() and store().
struct SharedPins {
    std::array<int, 32> level{};
    int pwm_hangs = 0;        ///< while set, writes of a duty cycle do not return
    int inputs_hang = 0;      ///< while set, reads of input lines do not return
    int calls_that_hang = 0;  ///< number of calls hanging at present
    int stuck_line = -1;      ///< always reads back as high
    /// When each line was last set low, in nanoseconds of the monotonic clock; 0: never.
    std::array<long long, 32> low_since{};

    template <class Field>
    static Field load(const Field& field) {
        return __atomic_load_n(&field, __ATOMIC_SEQ_CST);
    }
    template <class Field>
    static void store(Field& field, std::type_identity_t<Field> value) {
        __atomic_store_n(&field, value, __ATOMIC_SEQ_CST);
    }
};

}  // namespace caribou::tests
