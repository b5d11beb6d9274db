#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "bus/mission.hpp"

namespace caribou::bus {

/// The macros of a .moos file: `${X}` stands for what `define: X = …` says, or else for the
/// environment's X.
class MissionMacros {
public:
    explicit MissionMacros(const Environment& environment) : environment_(environment) {}

    /// The first definition of a name counts. False: it was defined before.
    bool define(std::string name, std::string value) {
        return values_.try_emplace(std::move(name), std::move(value)).second;
    }
    /// The line with every macro replaced. Fails when one is not known, or the line gets too long.
    Result<std::string> expand(std::string_view line) const;

private:
    Result<std::string> value_of(std::string_view name) const;

    const Environment& environment_;
    std::map<std::string, std::string, std::less<>> values_;
};

}  // namespace caribou::bus
