#include "behavior/parameter.hpp"

#include <fmt/format.h>

#include "base/suggestion.hpp"

namespace caribou::behavior {
namespace {

std::string range(const Parameter& parameter) {
    const bool low = parameter.min > -Parameter::unbounded;
    const bool high = parameter.max < Parameter::unbounded;
    if (low && high) return fmt::format(" from {} to {}", parameter.min, parameter.max);
    if (low) return fmt::format(" from {} on", parameter.min);
    return high ? fmt::format(" up to {}", parameter.max) : "";
}

std::string duration_range(const Parameter& parameter) {
    std::string text = "a duration with its unit, such as \"5s\"";
    if (parameter.min > 0) text += fmt::format(", from {}s on", parameter.min);
    if (parameter.max < Parameter::unbounded) text += fmt::format(", up to {}s", parameter.max);
    return parameter.words.empty() ? text : text + ", or " + listed(parameter.words, "or");
}

}  // namespace

std::string describe(const Parameter& parameter) {
    using Kind = Parameter::Kind;
    switch (parameter.kind) {
        case Kind::flag: return "true or false";
        case Kind::number: return "a number" + range(parameter);
        case Kind::count: return "a whole number" + range(parameter);
        case Kind::text: return "a text";
        case Kind::word: return listed(parameter.words, "or");
        case Kind::duration: return duration_range(parameter);
        case Kind::fact: return "the name of a fact";
        case Kind::texts: return "a list of texts";
        case Kind::value: return "true, false, a number or a text";
        case Kind::expression: return "an expression, such as \"battery < 20\"";
        case Kind::condition: return "a condition";
        case Kind::conditions: return "a condition or a list of conditions";
        case Kind::action: return "an action";
        case Kind::actions: return "an action or a list of actions";
        case Kind::records: return "a list of objects";
    }
    return "something else";
}

}  // namespace caribou::behavior
