#include "sim/bus_world.hpp"

#include <utility>

#include <fmt/format.h>

#include "base/check.hpp"

namespace caribou::sim {

using namespace std::chrono_literals;

std::string to_string(const BusReport& report) {
    std::string text = fmt::format(
        "seed {}: {} steps, {} values written, {} delivered, {} connections, {} cut, thinned out at {} "
        "steps\n",
        report.seed, report.steps, report.writes, report.told, report.connections, report.cuts,
        report.thinned);
    for (const std::string& violation : report.violations)
        text += fmt::format("seed {}, step {}: {}\n", report.seed, report.steps, violation);
    return text;
}

void BusWorld::CutCounter::write(Level, std::string_view text) {
    if (text.contains(" is disconnected: ")) ++cuts;
}

BusWorld::BusWorld(std::uint64_t seed, BusWorldOptions options)
    : report_{.seed = seed},
      options_(std::move(options)),
      random_(seed),
      plan_(BusPlan::draw(random_)),
      audit_("MOOSDB_sim", plan_.limits.name_alive),
      tap_(loop_.clock(), audit_),
      network_(loop_, random_.next(), plan_.faults),
      broker_host_(network_.on_host(BusPlan::broker_host)),
      broker_network_(*broker_host_, tap_),
      server_(std::make_unique<bus::BrokerServer>(
          loop_, broker_network_,
          bus::BrokerServer::Options{
              .broker = {.community = "sim", .hostname = "broker", .limits = plan_.limits}},
          log_)),
      setting_{loop_, network_, audit_, BusPlan::all_keys()} {
    check(server_->listen(BusPlan::broker()).has_value(), "the broker's host is its own");
    for (std::size_t i = 0; i < plan_.clients; ++i)
        participants_.push_back(std::make_unique<BusParticipant>(setting_, fmt::format("c{}", i)));
}

void BusWorld::tell(std::string_view what) const {
    if (options_.trace)
        options_.trace(fmt::format("{:9.3f} s, step {}: {}",
                                   to_seconds(loop_.clock().now().time_since_epoch()), report_.steps, what));
}

BusReport BusWorld::run() {
    for (auto& participant : participants_) participant->come(BusPlan::draw_client(random_));
    for (std::size_t i = 0; i < 3 * participants_.size(); ++i) register_something();
    while (report_.steps < options_.steps && report_.violations.empty()) step();
    if (report_.violations.empty()) settle();
    report_.writes = audit_.writes();
    report_.told = audit_.told();
    report_.cuts = log_.cuts;
    return report_;
}

void BusWorld::step() {
    ++report_.steps;
    act();
    let_time_pass();
    for (auto& participant : participants_) participant->sweep();
    check_promises();
}

/// Usually a short time, so that events coincide; occasionally long enough for timeouts.
void BusWorld::let_time_pass() {
    const std::uint64_t kind = random_.below(10);
    const auto most = kind < 6 ? 40ms : kind < 9 ? 400ms : 6'000ms;
    loop_.advance(std::chrono::milliseconds(random_.between(0, most.count())));
}

void BusWorld::check_promises() {
    const bus::Broker& broker = server_->broker();
    audit_.check_values(broker.exchange());
    audit_.check_backlog(broker, plan_.limits, BusPlan::largest_message);
    audit_.check_losses(broker);
    bool thinned = false;
    for (auto& participant : participants_) {
        participant->check_outbox();
        const bus::Connection* const client = broker.find_client(participant->name());
        thinned = thinned || (client && client->traffic.collapsed + client->traffic.dropped > 0);
    }
    report_.thinned += thinned ? 1 : 0;
    report_.violations = audit_.violations();
}

}  // namespace caribou::sim
