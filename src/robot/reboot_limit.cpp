#include "robot/reboot_limit.hpp"

#include <charconv>
#include <ranges>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace caribou::robot {
namespace {

/// Last word of the history.
constexpr std::string_view with_station = "station";

}  // namespace

RebootLimit::RebootLimit(Rules rules, std::string_view history) : rules_(rules) {
    if (history.ends_with(with_station)) {
        had_station_ = true;
        history.remove_suffix(with_station.size());
        if (history.ends_with(' ')) history.remove_suffix(1);
    }
    for (const auto part : std::views::split(history, ' ')) {
        Duration::rep since_start = 0;
        const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), since_start);
        if (error != std::errc() || end != part.data() + part.size() || reboots_.size() > rules.most) {
            reboots_.clear();
            had_station_ = false;
            return;
        }
        reboots_.emplace_back(Duration(since_start));
    }
}

bool RebootLimit::reboot(Instant now, bool has_station) {
    std::erase_if(reboots_, [&](Instant then) { return then > now || now - then > rules_.within; });
    if (reboots_.size() >= rules_.most) return false;
    reboots_.push_back(now);
    had_station_ = has_station;
    return true;
}

std::string RebootLimit::history() const {
    const auto numbers =
        reboots_ | std::views::transform([](Instant then) { return then.time_since_epoch().count(); });
    return fmt::format("{}{}{}", fmt::join(numbers, " "), had_station_ ? " " : "",
                       had_station_ ? with_station : "");
}

}  // namespace caribou::robot
