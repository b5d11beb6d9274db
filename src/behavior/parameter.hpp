#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "loop/time.hpp"

namespace caribou::behavior {

struct PartPlan;

/// What a class does with a fact that a parameter names.
enum class FactUse : std::uint8_t {
    tests,   ///< compares it; without a comparison it must be true or false
    counts,  ///< reads a number
    sets,    ///< sets it; without a value, to true
    adds,    ///< adds to a number
    names,   ///< only names it
};

/// The value of a parameter from a file. Parameter::Kind determines the alternative.
using ParameterValue =
    std::variant<bool, double, std::string, Duration, std::vector<std::string>, std::vector<PartPlan>>;
using ParameterValues = std::map<std::string, ParameterValue, std::less<>>;

/// A condition, an action or a record as described in a file: a value from which the registry can create any
/// number of objects.
struct PartPlan {
    std::string class_name;  ///< empty for a record
    ParameterValues values;

    friend bool operator==(const PartPlan&, const PartPlan&) = default;
};

/// A parameter of a class.
///
/// | kind                   | in a file                         | as a value                   |
/// |------------------------|-----------------------------------|------------------------------|
/// | flag                   | true or false                     | bool                         |
/// | number                 | a number from min to max          | double                       |
/// | count                  | a whole number from min to max    | double                       |
/// | text                   | a text that is not empty          | std::string                  |
/// | word                   | one of `words`                    | std::string                  |
/// | duration               | "5s", or one of `words`           | Duration, or std::string     |
/// | fact                   | the name of a fact                | std::string                  |
/// | texts                  | a list of texts                   | std::vector<std::string>     |
/// | value                  | true, false, a number or a text   | bool, double or std::string  |
/// | expression             | the text of an Expression         | std::string                  |
/// | condition, action      | one                               | std::vector<PartPlan>        |
/// | conditions, actions    | one, or a list                    | std::vector<PartPlan>        |
/// | records                | a list of objects with `fields`   | std::vector<PartPlan>        |
struct Parameter {
    enum class Kind : std::uint8_t {
        flag,
        number,
        count,
        text,
        word,
        duration,
        fact,
        texts,
        value,
        expression,
        condition,
        conditions,
        action,
        actions,
        records,
    };
    static constexpr double unbounded = std::numeric_limits<double>::infinity();

    std::string name{};
    Kind kind = Kind::text;
    std::string about{};  ///< one line, for people
    bool required = false;
    std::optional<ParameterValue> fallback{};  ///< used if a file gives no value
    double min = -unbounded;                   ///< for numbers; for durations in seconds, never below 0
    double max = unbounded;
    std::vector<std::string> words{};
    std::vector<Parameter> fields{};
    FactUse fact_use = FactUse::tests;  ///< for facts
    /// For values and expressions: the parameter that names the fact to which this value belongs. The result
    /// of other expressions is true or false.
    std::string of_fact{};
};

/// Returns what a file must give, for messages and tables, such as `a number from 0 to 1`.
std::string describe(const Parameter& parameter);

}  // namespace caribou::behavior
