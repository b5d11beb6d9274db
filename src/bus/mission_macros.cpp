#include "bus/mission_macros.hpp"

#include <vector>

#include <fmt/format.h>

#include "base/limits.hpp"
#include "base/nearest.hpp"

namespace caribou::bus {

Result<std::string> MissionMacros::value_of(std::string_view name) const {
    if (const auto found = values_.find(name); found != values_.end()) return found->second;
    if (environment_)
        if (auto value = environment_(name)) return std::move(*value);
    std::vector<std::string> known;
    for (const auto& [defined, value] : values_) known.push_back(defined);
    const auto meant = nearest(name, known);
    return fail(Code::not_found,
                fmt::format("`${{{}}}` is neither defined here nor in the environment{}", name,
                            meant ? fmt::format("; did you mean `${{{}}}`?", *meant) : ""));
}

Result<std::string> MissionMacros::expand(std::string_view line) const {
    std::string out;
    for (std::size_t at = 0; at < line.size();) {
        const std::size_t start = line.find("${", at);
        out += line.substr(at, start - at);
        if (start == std::string_view::npos) break;
        const std::size_t end = line.find('}', start);
        if (end == std::string_view::npos) return fail(Code::malformed, "`${` without its `}`");
        auto value = value_of(line.substr(start + 2, end - start - 2));
        if (!value) return value;
        out += *value;
        if (out.size() > max_mission_line)
            return fail(Code::limit_exceeded,
                        limit_reached("max_mission_line", out.size(), max_mission_line, "characters"));
        at = end + 1;
    }
    return out;
}

}  // namespace caribou::bus
