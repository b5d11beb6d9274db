#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.hpp"
#include "bus/mission.hpp"

namespace caribou::bus {

/// What a parameter may be, both ends included.
struct Range {
    double low = std::numeric_limits<double>::lowest();
    double high = std::numeric_limits<double>::max();
};

/// What to make of keys that nobody has declared.
enum class UnknownKeys {
    refuse,    ///< they are errors
    question,  ///< those that look like a misspelt one are warnings
};

/// The parameters that a program declares: each with a name, a place to put it (whose present
/// value is the default), a range and a sentence on what it is for. Filled from a block of a
/// mission file.
class Parameters {
public:
    // The place outlives the Parameters.
    void add(std::string name, double& into, Range range, std::string doc);
    void add(std::string name, int& into, Range range, std::string doc);
    void add(std::string name, bool& into, std::string doc);
    void add(std::string name, std::string& into, std::string doc);
    /// A key that may be repeated (in TOML: an array).
    void add(std::string name, std::vector<std::string>& into, std::string doc);

    /// Takes the values; the first of a key counts. Everything that is wrong is in the result; what
    /// is wrong keeps its default.
    std::vector<MissionFinding> fill(std::span<const MissionSetting> settings,
                                     UnknownKeys unknown = UnknownKeys::refuse);
    /// Sets one from its text. not_found: with a suggestion.
    Result<void> set(std::string_view name, std::string_view value);
    bool knows(std::string_view name) const;
    /// Whether anything but the default was given.
    bool is_set(std::string_view name) const;

    /// A block that says the same as the defaults, with the sentences as comments.
    std::string example(std::string_view program) const;
    /// The same with the present values.
    std::string values(std::string_view program) const;

private:
    using Place = std::variant<double*, int*, bool*, std::string*, std::vector<std::string>*>;
    struct Parameter {
        std::string name;
        Place place;
        Range range;
        std::string doc;
        std::string default_text{};
        bool set = false;
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

}  // namespace caribou::bus
