#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "behavior/action.hpp"
#include "behavior/condition.hpp"
#include "behavior/parameter.hpp"
#include "behavior/value.hpp"

namespace caribou::behavior {

class ClassRegistry;

/// The arguments from which an instance of a class is created: the values from the file, or the fallbacks of
/// its parameters where the file gives none. They have been checked: each has the declared kind and range.
///
/// Requesting a name that is not declared, or with the wrong kind, is a programming error. A parameter with
/// neither value nor fallback returns false, 0, an empty value, or null.
class Arguments {
public:
    /// All arguments must outlive it.
    Arguments(const ParameterValues& given, std::span<const Parameter> declared, const ClassRegistry& classes)
        : given_(given), declared_(declared), classes_(classes) {}

    /// Returns whether there is a value or a fallback.
    bool has(std::string_view name) const { return find(name) != nullptr; }

    bool flag(std::string_view name) const { return get<bool>(name); }
    double number(std::string_view name) const { return get<double>(name); }
    std::size_t count(std::string_view name) const { return static_cast<std::size_t>(get<double>(name)); }
    /// Returns a text or a word.
    std::string text(std::string_view name) const { return get<std::string>(name); }
    Duration duration(std::string_view name) const { return get<Duration>(name); }
    /// Returns whether the file gives this word instead of a duration.
    bool is_word(std::string_view name, std::string_view word) const;
    std::vector<std::string> texts(std::string_view name) const {
        return get<std::vector<std::string>>(name);
    }
    Value value(std::string_view name) const;

    // Each call creates new objects.
    ConditionPtr condition(std::string_view name) const;
    std::vector<ConditionPtr> conditions(std::string_view name) const;
    std::unique_ptr<Action> action(std::string_view name) const;
    std::vector<std::unique_ptr<Action>> actions(std::string_view name) const;
    /// Returns one object per record, each with the fields of the parameter. Like this object, they refer to
    /// the values, which must outlive them.
    std::vector<Arguments> records(std::string_view name) const;

private:
    const Parameter& declared(std::string_view name) const;
    /// Returns null if there is neither a value nor a fallback.
    const ParameterValue* find(std::string_view name) const;
    template <class T>
    T get(std::string_view name) const;

    const ParameterValues& given_;
    std::span<const Parameter> declared_;
    const ClassRegistry& classes_;
};

}  // namespace caribou::behavior
