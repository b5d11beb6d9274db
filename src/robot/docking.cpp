#include "robot/docking.hpp"

#include <fmt/format.h>

#include "link/command_table.hpp"
#include "loop/duration_text.hpp"

namespace caribou::robot {

using link::Objection;
using link::Refusal;

std::optional<Docking::End> Docking::look(const Evidence& now) {
    const auto refuse = [](Refusal why, std::string text) {
        return End(std::unexpected(Objection{why, std::move(text)}));
    };
    if (now.stop)
        return refuse(
            Refusal::stopped,
            fmt::format("a full stop ({}) ended it; release_stop, then dock again", to_string(*now.stop)));
    if (now.stops != stops_before_)
        return refuse(Refusal::stopped, "a full stop ended it, which is released; dock again");
    if (!now.on_charger) contact_since_.reset();
    if (now.on_charger && !contact_since_) contact_since_ = now.at;
    if (contact_since_ && now.at - *contact_since_ >= settle) return End("it is on the charger");
    const std::uint64_t tries = now.failed_tries - failed_before_;
    if (tries >= max_tries)
        return refuse(Refusal::failed,
                      fmt::format("it did not reach its dock in {} tries: {}", max_tries, now.failure));
    if (now.at - began_ < link::dock_limit) return std::nullopt;
    return refuse(Refusal::failed,
                  fmt::format("it did not reach its dock within {}{}{}", duration_text(link::dock_limit),
                              tries > 0 ? ": " : "", tries > 0 ? now.failure : ""));
}

}  // namespace caribou::robot
