#pragma once

#include <type_traits>

/// Run-time switches for mutations. tools/mutate.py wraps expressions of the sources in calls to these functions and
/// compiles the result once; the environment variable CARIBOU_MUTANT selects the one mutation that is in effect.
namespace mutation {

/// Number of the mutation in effect; 0 for none.
extern int chosen;

/// One byte per mutation, set when its expression is evaluated.
extern unsigned char reached[];

/// Returns true if mutation `number` is in effect.
inline bool is(int number) {
    reached[number] = 1;
    return number == chosen;
}

template <class A, class B>
bool less(int number, const A& a, const B& b) {
    return is(number) ? a <= b : a < b;
}

template <class A, class B>
bool less_equal(int number, const A& a, const B& b) {
    return is(number) ? a < b : a <= b;
}

template <class A, class B>
bool greater(int number, const A& a, const B& b) {
    return is(number) ? a >= b : a > b;
}

template <class A, class B>
bool greater_equal(int number, const A& a, const B& b) {
    return is(number) ? a > b : a >= b;
}

template <class A, class B>
bool equal(int number, const A& a, const B& b) {
    return is(number) != static_cast<bool>(a == b);
}

template <class A, class B>
bool not_equal(int number, const A& a, const B& b) {
    return is(number) != static_cast<bool>(a != b);
}

template <class A, class B>
auto plus(int number, const A& a, const B& b) -> std::decay_t<decltype(a + b)> {
    return is(number) ? static_cast<std::decay_t<decltype(a + b)>>(a - b) : a + b;
}

template <class A, class B>
auto minus(int number, const A& a, const B& b) -> std::decay_t<decltype(a - b)> {
    return is(number) ? static_cast<std::decay_t<decltype(a - b)>>(a + b) : a - b;
}

template <class A, class B>
auto times(int number, const A& a, const B& b) -> std::decay_t<decltype(a * b)> {
    return is(number) ? static_cast<std::decay_t<decltype(a * b)>>(a) : a * b;
}

template <class A, class B>
auto divided(int number, const A& a, const B& b) -> std::decay_t<decltype(a / b)> {
    return is(number) ? static_cast<std::decay_t<decltype(a / b)>>(a) : a / b;
}

/// A changed constant: integers by one, everything else (fractions, durations) doubled.
template <class T>
T constant(int number, T value) {
    if (!is(number)) return value;
    if constexpr (std::is_integral_v<T>)
        return static_cast<T>(value + 1);
    else if constexpr (std::is_floating_point_v<T>)
        return value == T{} ? T{1} : value * 2;
    else
        return value + value;
}

} // namespace mutation
