#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.hpp"
#include "bus/mission.hpp"

namespace caribou::bus {

/// Limits of a parameter, both inclusive.
struct Range {
    double low = std::numeric_limits<double>::lowest();
    double high = std::numeric_limits<double>::max();
};

/// How to handle keys that were not declared.
enum class UnknownKeys {
    refuse,    ///< error
    warn,      ///< warning
    question,  ///< warning, if the key is similar to a declared one
};

/// The parameters declared by a program: each with a name, a variable that holds the default and receives the
/// value, a range, and a description. Filled from a block of a mission file.
class Parameters {
public:
    // `into` must outlive the Parameters.
    void add(std::string name, double& into, Range range, std::string doc);
    void add(std::string name, int& into, Range range, std::string doc);
    // Any number.
    void add(std::string name, double& into, std::string doc);
    void add(std::string name, int& into, std::string doc);
    void add(std::string name, bool& into, std::string doc);
    void add(std::string name, std::string& into, std::string doc);
    /// Declares a key that may be repeated (in TOML: an array).
    void add(std::string name, std::vector<std::string>& into, std::string doc);
    /// Returns what is wrong with a value.
    using Check = std::function<Result<void>(std::string_view value)>;
    // The same; values that do not pass the check are errors of their lines.
    void add(std::string name, std::string& into, Check check, std::string doc);
    void add(std::string name, std::vector<std::string>& into, Check check, std::string doc);
    /// Adds a check of a declared key for check_filled(): one that depends on other parameters. It must
    /// accept values that fail the check above.
    void add_final_check(std::string name, Check check);
    /// Declares a key that the original of the program has, and this one does not: a warning.
    void add_unsupported(std::string name);

    /// Sets the values; the first setting of a key is used. Returns all problems; a parameter with an invalid
    /// value keeps its default.
    std::vector<MissionFinding> fill(std::span<const MissionSetting> settings,
                                     UnknownKeys unknown = UnknownKeys::refuse);
    /// Returns the problems of the settings that depend on other parameters. Call it after the last fill()
    /// and set(). `missing` is the kind of those about something that this machine lacks (not_found), such as
    /// a key.
    std::vector<MissionFinding> check_filled(
        std::span<const MissionSetting> settings,
        MissionFinding::Kind missing = MissionFinding::Kind::error) const;
    /// Sets one parameter from text. Fails with not_found, with a suggestion, if there is none of that name.
    Result<void> set(std::string_view name, std::string_view value);
    bool knows(std::string_view name) const;
    /// Returns whether a value was given.
    bool is_set(std::string_view name) const;

    /// Returns a mission block with the default values, and the descriptions as comments.
    std::string example(std::string_view program) const;
    /// Returns the same block with the present values.
    std::string values(std::string_view program) const;

private:
    using Place = std::variant<std::monostate, double*, int*, bool*, std::string*, std::vector<std::string>*>;
    struct Parameter {
        std::string name;
        Place place;
        Range range;
        std::string doc;
        Check check{};
        std::string default_text{};
        bool set = false;
        Check final_check{};
    };

    void add(Parameter parameter);
    Parameter* find(std::string_view name);
    std::string meant_by(std::string_view name) const;
    using TextOf = std::string (*)(const Parameter&);
    std::string block(std::string_view program, TextOf text_of) const;
    static std::string present_text(const Parameter& parameter);
    static Result<void> put(Parameter& parameter, std::string_view value, Spelling spelling);

    std::vector<Parameter> all_;
};

/// Returns a check that a value can be parsed.
template <class Parse>
Parameters::Check check_by(Parse parse) {
    return [parse](std::string_view value) -> Result<void> {
        const auto parsed = parse(value);
        if (!parsed) return fail(parsed.error());
        return {};
    };
}

}  // namespace caribou::bus
