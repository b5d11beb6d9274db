#include "robot/reboot_limit.hpp"

#include <charconv>
#include <ranges>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace caribou::robot {

RebootLimit::RebootLimit(Rules rules, std::string_view history) : rules_(rules) {
    for (const auto part : std::views::split(history, ' ')) {
        Duration::rep since_start = 0;
        const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), since_start);
        if (error != std::errc() || end != part.data() + part.size() || reboots_.size() > rules.most) {
            reboots_.clear();
            return;
        }
        reboots_.emplace_back(Duration(since_start));
    }
}

bool RebootLimit::reboot(Instant now) {
    std::erase_if(reboots_, [&](Instant then) { return then > now || now - then > rules_.within; });
    if (reboots_.size() >= rules_.most) return false;
    reboots_.push_back(now);
    return true;
}

std::string RebootLimit::history() const {
    const auto numbers =
        reboots_ | std::views::transform([](Instant then) { return then.time_since_epoch().count(); });
    return fmt::format("{}", fmt::join(numbers, " "));
}

}  // namespace caribou::robot
