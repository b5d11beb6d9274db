// Time that a stop takes while attackers keep robot and station busy: bench_attack [METRIC...] [--count N].

#include <string>
#include <vector>

#include "field/stop_under_attack.hpp"
#include "metrics.hpp"
#include "trials.hpp"

namespace caribou::bench {
namespace {

using namespace std::chrono_literals;
using tests::AttackerPriority;

const std::vector<std::string> all_attacks{"flood",    "sessions", "handshakes", "requests",
                                           "watchers", "storm",    "pipeline",   "replays"};

/// How many stops from full speed took effect within 100 ms under these attacks, and the slowest one.
void stop_under(const std::vector<std::string>& attacks, const std::string& name, const std::string& worst,
                const Report& report, const Effort& effort,
                AttackerPriority priority = AttackerPriority::lowest) {
    tests::StopUnderAttack field(attacks, priority);
    Trials trials(report, {name, worst, 100ms}, effort.count);
    while (!trials.done()) {
        const auto time = field.stop_once(30s);
        trials.add(time, [&] { return time ? "" : field.trouble(); });
    }
    trials.finish(field.attacked());
}

void stop_under_one(const std::string& attack, const Report& report, const Effort& effort) {
    const std::string name = "stop_under_" + attack;
    stop_under({attack}, name, name + "_worst_ms", report, effort);
}

void flood(const Report& report, const Effort& effort) { stop_under_one("flood", report, effort); }
void sessions(const Report& report, const Effort& effort) { stop_under_one("sessions", report, effort); }
void handshakes(const Report& report, const Effort& effort) { stop_under_one("handshakes", report, effort); }
void requests(const Report& report, const Effort& effort) { stop_under_one("requests", report, effort); }
void watchers(const Report& report, const Effort& effort) { stop_under_one("watchers", report, effort); }
void storm(const Report& report, const Effort& effort) { stop_under_one("storm", report, effort); }
void pipeline(const Report& report, const Effort& effort) { stop_under_one("pipeline", report, effort); }
void replays(const Report& report, const Effort& effort) { stop_under_one("replays", report, effort); }

void all_at_once(const Report& report, const Effort& effort) {
    stop_under(all_attacks, "stop_under_attack", "stop_worst_ms", report, effort);
}

/// The same by two processes of usual priority, of a program of the account that runs the station.
void pipeline_at_usual_priority(const Report& report, const Effort& effort) {
    stop_under({"pipeline", "pipeline"}, "stop_under_usual_pipeline", "stop_under_usual_pipeline_worst_ms",
               report, effort, AttackerPriority::usual);
}

/// The same by one process of usual priority for each attack, which is not promised.
void all_at_usual_priority(const Report& report, const Effort& effort) {
    stop_under(all_attacks, "stop_under_usual_attack", "stop_under_usual_attack_worst_ms", report, effort,
               AttackerPriority::usual);
}

}  // namespace
}  // namespace caribou::bench

int main(int argc, char** argv) {
    using namespace caribou::bench;
    constexpr Metric metrics[] = {
        {"stop_under_attack_ok", all_at_once},
        {"stop_under_flood_ok", flood},
        {"stop_under_sessions_ok", sessions},
        {"stop_under_handshakes_ok", handshakes},
        {"stop_under_requests_ok", requests},
        {"stop_under_watchers_ok", watchers},
        {"stop_under_storm_ok", storm},
        {"stop_under_pipeline_ok", pipeline},
        {"stop_under_replays_ok", replays},
        {"stop_under_usual_pipeline_ok", pipeline_at_usual_priority, true},
        {"stop_under_usual_attack_ok", all_at_usual_priority, true},
    };
    return measure("attack", metrics, Effort{}, {argv, static_cast<std::size_t>(argc)});
}
