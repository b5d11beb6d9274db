#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "behavior/value.hpp"

namespace caribou::behavior {

/// What is known of the world, by name: battery, charging, a bus variable, a feature flag. Filled
/// from outside between ticks; behaviors and conditions only read it. One that was never set, or
/// was cleared, is unknown.
class Facts {
public:
    using Number = std::uint32_t;

    void set(std::string_view name, Value value);
    void clear(std::string_view name);
    /// Null: unknown. Valid until something is set, or a new name is asked for.
    const Value* find(std::string_view name) const;
    /// The fact if it is known and a bool; else false.
    bool holds(std::string_view name) const;

    /// The short way for who asks every tick. A name gets its number when it is first asked for,
    /// known or not, and keeps it.
    Number number_of(std::string_view name) const;
    const Value* find(Number number) const {
        const std::optional<Value>& value = values_[number];
        return value ? &*value : nullptr;
    }
    bool holds(Number number) const;

    /// The names of all facts that are known, in alphabetical order.
    std::vector<std::string> names() const;

private:
    // Giving a number to a name changes nothing that anybody can see.
    mutable std::map<std::string, Number, std::less<>> numbers_;
    mutable std::vector<std::optional<Value>> values_;
};

/// The facts that decide on operation modifiers (behavior/modifiers.hpp).
inline constexpr std::string_view fact_charging = "charging";
inline constexpr std::string_view fact_off_ground = "off_ground";
inline constexpr std::string_view fact_carrying = "carrying";

}  // namespace caribou::behavior
