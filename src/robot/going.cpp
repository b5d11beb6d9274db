#include "robot/going.hpp"

#include <fmt/format.h>

#include "link/command_table.hpp"
#include "loop/duration_text.hpp"

namespace caribou::robot {

using link::Objection;
using link::Refusal;

std::optional<Going::End> Going::look(const Evidence& now) const {
    const auto refuse = [](Refusal why, std::string text) {
        return End(std::unexpected(Objection{why, std::move(text)}));
    };
    if (now.stop)
        return refuse(Refusal::stopped, fmt::format("a full stop ({}) ended it; release_stop, then go again",
                                                    to_string(*now.stop)));
    if (now.stops != start_.stops)
        return refuse(Refusal::stopped, "a full stop ended it, which is released; go again");
    if (now.losses > start_.losses) return refuse(Refusal::failed, now.loss + "; go again");
    if (now.arrivals > start_.arrivals) return End("it is at " + place_);
    const std::uint64_t tries = now.failed_tries - start_.failed_tries;
    if (tries >= max_tries)
        return refuse(Refusal::failed,
                      fmt::format("it did not reach {} in {} tries: {}", place_, max_tries, now.failure));
    if (now.at - start_.at < link::dock_limit) return std::nullopt;
    return refuse(Refusal::failed,
                  fmt::format("it did not reach {} within {}: {}", place_, duration_text(link::dock_limit),
                              tries > 0 ? now.failure : "no behavior went there"));
}

}  // namespace caribou::robot
