#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "bus/mission.hpp"

namespace caribou::bus {

/// The macros of a .moos file: `${X}` is replaced by the value of `define: X = …`, or else of the environment
/// variable X.
class MissionMacros {
public:
    explicit MissionMacros(const Environment& environment) : environment_(environment) {}

    /// Adds a definition. Returns false if the name is already defined; then the first definition is kept.
    bool define(std::string name, std::string value) {
        return values_.try_emplace(std::move(name), std::move(value)).second;
    }
    /// Returns the line with every macro replaced. Fails if a macro is undefined or the line becomes too
    /// long.
    Result<std::string> expand(std::string_view line) const;

private:
    Result<std::string> value_of(std::string_view name) const;

    const Environment& environment_;
    std::map<std::string, std::string, std::less<>> values_;
};

}  // namespace caribou::bus
