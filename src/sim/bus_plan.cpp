#include "sim/bus_plan.hpp"

namespace caribou::sim {

using namespace std::chrono_literals;

const std::vector<std::string>& BusPlan::written_keys() {
    static const std::vector<std::string> keys{"NAV_X", "NAV_Y", "NAV_SPEED", "STATE", "MODE",
                                               "TASK",  "IMAGE", "SCAN",      "N"};
    return keys;
}

const std::vector<std::string>& BusPlan::all_keys() {
    static const std::vector<std::string> keys = [] {
        std::vector<std::string> all = written_keys();
        for (const char* own : {"DB_TIME", "DB_UPTIME", "DB_CLIENTS", "DB_EVENT", "DB_QOS", "DB_RWSUMMARY",
                                "DB_VARSUMMARY", "DB_NOTICE"})
            all.emplace_back(own);
        return all;
    }();
    return keys;
}

Faults BusPlan::draw_faults(Random& random) {
    constexpr Duration delays[] = {0ms, 2ms, 20ms, 120ms};
    constexpr std::size_t buffers[] = {2'000, 16_KiB, 256_KiB};
    Faults faults;
    faults.max_delay = delays[random.below(std::size(delays))];
    faults.min_delay = faults.max_delay / 4;
    faults.split_reads = random.chance(0.5);
    faults.stream_buffer = buffers[random.below(std::size(buffers))];
    return faults;
}

BusPlan BusPlan::draw(Random& random) {
    BusPlan plan;
    plan.clients = 2 + random.below(5);
    plan.faults = draw_faults(random);
    // Either tight limits, so that they are reached, or generous ones, so that nothing may be lost.
    const bool tight = random.chance(0.6);
    plan.limits.backlog_collapse = tight ? 6_KiB : 1_MiB;
    plan.limits.backlog_max = tight ? 12_KiB : 4_MiB;
    plan.limits.backlog_total = tight ? 60_KiB : 16_MiB;
    plan.limits.stall_limit = random.chance(0.5) ? 2s : 10s;
    plan.limits.max_message = 64_KiB;
    return plan;
}

bus::ClientOptions BusPlan::draw_client(Random& random) {
    bus::ClientOptions options;
    options.broker = broker();
    options.mode = random.chance(0.3) ? bus::CommsMode::synchronous : bus::CommsMode::asynchronous;
    options.comms_tick = random.chance(0.5) ? 5 : 20;
    options.outbox = {.messages = 100,
                      .bytes = 24_KiB,
                      .when_full = random.chance(0.5) ? WhenFull::refuse : WhenFull::drop_oldest};
    options.on_loss = random.chance(0.7) ? bus::OnLoss::keep : bus::OnLoss::drop;
    // With a long limit the client keeps sending to a broker that it does not receive, until the broker
    // closes the connection.
    options.silence_limit = random.chance(0.5) ? 5s : 1h;
    options.seed = random.next();
    return options;
}

}  // namespace caribou::sim
