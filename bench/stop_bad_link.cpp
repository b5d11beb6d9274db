#include <memory>

#include "field/filtered_link.hpp"
#include "give_up.hpp"
#include "stop_figures.hpp"
#include "trials.hpp"

namespace caribou::bench {
namespace {

using namespace std::chrono_literals;
using tests::FilteredLink;

std::optional<Duration> stop_once(FilteredLink& link, bool (*disturb)(FilteredLink&), std::string& why) {
    why = "the robot does not drive";
    if (!link.repair() || !link.drive()) return std::nullopt;
    why = "no rules of nftables";
    if (!disturb(link)) return std::nullopt;
    why = "the robot does not stop";
    const auto time = link.stop(10s);
    if (time && !link.is_acknowledged(30s)) {
        why = "the stop is not acknowledged";
        return std::nullopt;
    }
    return time;
}

std::unique_ptr<FilteredLink> start() {
    auto link = std::make_unique<FilteredLink>();
    if (!link->start()) give_up("no robot in a network namespace, which takes root");
    return link;
}

void try_stops(Trials& trials, bool (*disturb)(FilteredLink&)) {
    auto link = start();
    std::string why;
    while (!trials.done()) {
        const auto time = stop_once(*link, disturb, why);
        trials.add(time, [&] { return (time ? "" : why) + "\n" + link->log(); });
        // A robot that the machine has stalled ends in RM0.
        if (time) continue;
        link.reset();  // before the next one: each leaves its network at its end
        link = start();
    }
    trials.finish();
}

}  // namespace

void lossy_stop(const Report& report, const Effort& effort) {
    Trials trials(report, {"lossy_stop", "lossy_stop_worst_ms", FilteredLink::lossy_limit}, effort.count);
    try_stops(trials, [](FilteredLink& link) { return link.lose(30); });
}

void tcp_cut_stop(const Report& report, const Effort& effort) {
    Trials trials(report, {"tcp_cut_stop", "tcp_cut_stop_worst_ms", FilteredLink::cut_limit}, effort.count);
    try_stops(trials, [](FilteredLink& link) { return link.cut_tcp(); });
}

}  // namespace caribou::bench
