#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "behavior/value.hpp"

namespace caribou::behavior {

/// Named values that describe the world: battery, charging, a bus variable, a feature flag. Set from outside
/// between ticks; behaviors and conditions only read them. A fact that was never set, or was cleared, is
/// unknown.
class Facts {
public:
    using Number = std::uint32_t;

    void set(std::string_view name, Value value);
    void clear(std::string_view name);
    /// Returns null if the fact is unknown. Valid until a fact is set or a new name is looked up.
    const Value* find(std::string_view name) const;
    /// Returns the fact if it is known and a bool, otherwise false.
    bool holds(std::string_view name) const;

    /// Faster access for callers that read a fact in every tick. A name gets its number at the first request,
    /// known or not, and keeps it.
    Number number_of(std::string_view name) const;
    const Value* find(Number number) const {
        const std::optional<Value>& value = values_[number];
        return value ? &*value : nullptr;
    }
    bool holds(Number number) const;

    /// Returns the names of all known facts, in alphabetical order.
    std::vector<std::string> names() const;
    /// Changes whenever a fact becomes known or unknown.
    std::uint64_t names_version() const { return names_version_; }

private:
    // Mutable, because numbering a name has no observable effect.
    mutable std::map<std::string, Number, std::less<>> numbers_;
    mutable std::vector<std::optional<Value>> values_;
    std::uint64_t names_version_ = 1;
};

/// The facts that decide on operation modifiers (behavior/modifiers.hpp).
inline constexpr std::string_view fact_charging = "charging";
inline constexpr std::string_view fact_off_ground = "off_ground";
inline constexpr std::string_view fact_carrying = "carrying";

}  // namespace caribou::behavior
