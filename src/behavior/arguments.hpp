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

/// What a class is made with: the values from the file, and the fallbacks of its parameters where
/// the file says nothing. They were checked: each has the kind and the range that was declared.
///
/// Asking for a name that is not declared, or by another kind, is a mistake of the programmer. What
/// has neither value nor fallback is false, 0, empty, or no object.
class Arguments {
public:
    /// All of them outlive it.
    Arguments(const ParameterValues& given, std::span<const Parameter> declared, const ClassRegistry& classes)
        : given_(given), declared_(declared), classes_(classes) {}

    bool has(std::string_view name) const { return find(name) != nullptr; }

    bool flag(std::string_view name) const { return get<bool>(name); }
    double number(std::string_view name) const { return get<double>(name); }
    std::size_t count(std::string_view name) const { return static_cast<std::size_t>(get<double>(name)); }
    /// A text or a word.
    std::string text(std::string_view name) const { return get<std::string>(name); }
    Duration duration(std::string_view name) const { return get<Duration>(name); }
    /// Whether the file gives this word in place of a duration.
    bool is_word(std::string_view name, std::string_view word) const;
    std::vector<std::string> texts(std::string_view name) const {
        return get<std::vector<std::string>>(name);
    }
    Value value(std::string_view name) const;

    // Each call makes new objects.
    ConditionPtr condition(std::string_view name) const;
    std::vector<ConditionPtr> conditions(std::string_view name) const;
    std::unique_ptr<Action> action(std::string_view name) const;
    std::vector<std::unique_ptr<Action>> actions(std::string_view name) const;
    /// Each with the fields of the parameter. Refer to what this refers to.
    std::vector<Arguments> records(std::string_view name) const;

private:
    const Parameter& declared(std::string_view name) const;
    /// Null: neither given nor a fallback.
    const ParameterValue* find(std::string_view name) const;
    template <class T>
    T get(std::string_view name) const;

    const ParameterValues& given_;
    std::span<const Parameter> declared_;
    const ClassRegistry& classes_;
};

}  // namespace caribou::behavior
