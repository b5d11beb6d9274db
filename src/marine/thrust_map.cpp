#include "marine/thrust_map.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/number_text.hpp"
#include "marine/fields.hpp"

namespace caribou::marine {

Result<ThrustMap> ThrustMap::parse(std::string_view text, double factor, bool reflects) {
    ThrustMap map;
    map.reflects_ = reflects;
    bool has_positive = false;
    for (const std::string_view part : split_outside(text, ',')) {
        const auto words = split_outside(part, ':');
        const auto thrust = words.size() == 2 ? number_in(words[0]) : std::nullopt;
        const auto speed = words.size() == 2 ? number_in(words[1]) : std::nullopt;
        if (!thrust || !speed || *thrust < -100 || *thrust > 100)
            return fail(
                Code::malformed,
                fmt::format("expected THRUST:SPEED with a thrust from -100 to 100, found `{}`", part));
        if (!map.pairs_.empty() && *thrust <= map.pairs_.back().first)
            return fail(Code::malformed, fmt::format("expected ascending thrusts, found `{}`", part));
        map.pairs_.emplace_back(*thrust, *speed);
        has_positive |= *thrust > 0;
        map.has_negative_ |= *thrust < 0;
    }
    if (!has_positive && factor > 0) map.pairs_.emplace_back(100, 100 / factor);
    const auto zero = std::ranges::lower_bound(map.pairs_, 0.0, {}, &std::pair<double, double>::first);
    if (zero == map.pairs_.end() || zero->first != 0) map.pairs_.insert(zero, {0, 0});
    return map;
}

double ThrustMap::mapped(double thrust) const {
    const auto above = std::ranges::lower_bound(pairs_, thrust, {}, &std::pair<double, double>::first);
    if (above == pairs_.end()) return pairs_.back().second;
    if (above == pairs_.begin() || above->first == thrust) return above->second;
    const auto& [t0, v0] = *(above - 1);
    return v0 + (above->second - v0) * (thrust - t0) / (above->first - t0);
}

double ThrustMap::speed(double thrust) const {
    if (thrust == 0) return 0;
    if (thrust > 0 || has_negative_) return mapped(thrust);
    return reflects_ ? -mapped(-thrust) : 0;
}

}  // namespace caribou::marine
