// The events of a simulated bus and their frequencies.

#include <array>
#include <numeric>

#include <fmt/format.h>

#include "sim/bus_world.hpp"

namespace caribou::sim {

using namespace std::chrono_literals;
using wire::DataType;

namespace {

constexpr std::array<std::string_view, 6> var_patterns{"*", "NAV_*", "?", "S*", "*A*", "DB_C*"};
constexpr std::array<std::string_view, 3> app_patterns{"*", "*", "c1"};

template <class Items>
const auto& any_of(Random& random, const Items& items) {
    return items[random.below(items.size())];
}

/// Returns the type that all clients use for a variable.
DataType usual_type(std::string_view key) {
    if (key.starts_with("NAV_") || key == "N") return DataType::number;
    return key == "IMAGE" || key == "SCAN" ? DataType::binary : DataType::string;
}

}  // namespace

const std::vector<BusWorld::Action>& BusWorld::actions() {
    static const std::vector<Action> all{
        {300, &BusWorld::write},
        {100, &BusWorld::write_burst},
        {10, &BusWorld::write_wrong_type},
        {150, &BusWorld::register_something},
        {50, &BusWorld::unregister_something},
        {30, &BusWorld::ask},
        {4, &BusWorld::clear},
        {60, &BusWorld::come},
        {15, &BusWorld::go},
        {15, &BusWorld::crash},
        {70, &BusWorld::stall},
        {70, &BusWorld::partition},
        {30, &BusWorld::reset},
        {20, &BusWorld::step_wall},
        {10, &BusWorld::change_delays},
    };
    return all;
}

void BusWorld::act() {
    static const unsigned total = std::accumulate(
        actions().begin(), actions().end(), 0u, [](unsigned sum, const Action& a) { return sum + a.weight; });
    std::uint64_t drawn = random_.below(total);
    for (const Action& action : actions()) {
        if (drawn < action.weight) return (this->*action.happen)();
        drawn -= action.weight;
    }
}

BusParticipant* BusWorld::any_present() {
    BusParticipant& drawn = *any_of(random_, participants_);
    return drawn.present() ? &drawn : nullptr;
}

const std::string& BusWorld::any_key() { return any_of(random_, BusPlan::written_keys()); }

Duration BusWorld::any_interval() {
    if (random_.chance(0.5)) return Duration::zero();
    return Duration(random_.between(1, BusPlan::longest_interval.count()));
}

// Values.

void BusWorld::write_value(BusParticipant& writer, const std::string& key, DataType type) {
    const std::uint64_t number = next_number_++;
    const std::string aux = fmt::format("#{}", number);
    const bus::NotifyOptions with{.aux = aux};
    tell(fmt::format("{} writes {} of {}", writer.name(), aux, key));
    Result<Pushed> taken = Pushed::refused;
    if (type == DataType::number) {
        taken = writer.client().notify(key, static_cast<double>(number), with);
    } else {
        const bool large = type == DataType::binary && random_.chance(0.5);
        const std::string payload(random_.below(large ? BusPlan::largest_payload : 200),
                                  static_cast<char>('a' + number % 26));
        taken = type == DataType::string ? writer.client().notify(key, payload, with)
                                         : writer.client().notify(key, bytes_of(payload), with);
    }
    if (!taken) tell("  but has no room for it");
}

void BusWorld::write() {
    BusParticipant* const writer = any_present();
    if (!writer) return;
    const std::string& key = any_key();
    write_value(*writer, key, usual_type(key));
}

void BusWorld::write_burst() {
    BusParticipant* const writer = any_present();
    if (!writer) return;
    for (std::uint64_t left = 2 + random_.below(40); left > 0; --left) {
        const std::string& key = any_key();
        write_value(*writer, key, usual_type(key));
    }
}

void BusWorld::write_wrong_type() {
    BusParticipant* const writer = any_present();
    if (!writer) return;
    const std::string& key = any_key();
    write_value(*writer, key, usual_type(key) == DataType::number ? DataType::string : DataType::number);
}

// Registrations and requests.

void BusWorld::register_something() {
    BusParticipant* const reader = any_present();
    if (!reader) return;
    const Duration interval = any_interval();
    if (random_.chance(0.25)) {
        const auto app = any_of(random_, app_patterns);
        const auto var = any_of(random_, var_patterns);
        const bool taken = reader->register_wildcard(var, app, interval);
        tell(fmt::format("{} registers {} of {} every {} s{}", reader->name(), var, app, to_seconds(interval),
                         taken ? "" : ", but has no room for it"));
    } else {
        const std::string& key = random_.chance(0.9) ? any_key() : any_of(random_, BusPlan::all_keys());
        const bool taken = reader->register_variable(key, interval);
        tell(fmt::format("{} registers {} every {} s{}", reader->name(), key, to_seconds(interval),
                         taken ? "" : ", but has no room for it"));
    }
}

void BusWorld::unregister_something() {
    BusParticipant* const reader = any_present();
    if (!reader) return;
    if (random_.chance(0.25)) {
        const auto app = any_of(random_, app_patterns);
        const auto var = any_of(random_, var_patterns);
        const bool taken = reader->unregister_wildcard(var, app);
        tell(fmt::format("{} unregisters {} of {}{}", reader->name(), var, app,
                         taken ? "" : ", but has no room for it"));
    } else {
        const std::string& key = any_key();
        const bool taken = reader->unregister_variable(key);
        tell(
            fmt::format("{} unregisters {}{}", reader->name(), key, taken ? "" : ", but has no room for it"));
    }
}

void BusWorld::ask() {
    constexpr std::array<std::string_view, 3> requests{"ALL", "VAR_SUMMARY", "PROC_SUMMARY"};
    BusParticipant* const asker = any_present();
    if (!asker || !asker->connected()) return;
    const auto what = any_of(random_, requests);
    tell(fmt::format("{} asks for {}", asker->name(), what));
    static_cast<void>(asker->client().server_request(what, [](auto) {}));
}

void BusWorld::clear() {
    BusParticipant* const asker = any_present();
    if (!asker || !asker->connected()) return;
    tell(fmt::format("{} asks for DB_CLEAR", asker->name()));
    static_cast<void>(asker->client().server_request("DB_CLEAR"));
}

// Clients connecting and disconnecting.

void BusWorld::come() {
    for (auto& participant : participants_) {
        if (participant->present()) continue;
        tell(participant->name() + " comes");
        bus::ClientOptions options = BusPlan::draw_client(random_);
        participant->come(std::move(options));
        return;
    }
}

void BusWorld::go() {
    BusParticipant* const leaver = any_present();
    if (!leaver) return;
    tell(leaver->name() + " leaves in good order");
    leaver->go(std::chrono::milliseconds(random_.below(3000)));
}

void BusWorld::crash() {
    BusParticipant* const victim = any_present();
    if (!victim) return;
    tell(victim->name() + " crashes");
    victim->crash();
}

// Faults of network and clock.

void BusWorld::stall() {
    BusParticipant& participant = *any_of(random_, participants_);
    participant.network().stall(!participant.network().stalled() && random_.chance(0.7));
    tell(fmt::format("{} reads{}", participant.name(), participant.network().stalled() ? " no more" : ""));
}

void BusWorld::partition() {
    const std::string& host = any_of(random_, participants_)->name();
    const bool cut = random_.chance(0.3);
    tell(fmt::format("{} is {}", host, cut ? "cut off" : "healed"));
    if (cut)
        network_.partition(host, BusPlan::broker_host);
    else
        network_.heal(host, BusPlan::broker_host);
}

void BusWorld::reset() {
    const std::string& host = any_of(random_, participants_)->name();
    tell(fmt::format("the connection of {} is reset", host));
    network_.reset(host, BusPlan::broker_host);
}

void BusWorld::step_wall() {
    const Duration step = random_.chance(0.5) ? 1h : -1h;
    tell(fmt::format("the wall clock jumps by {} s", to_seconds(step)));
    loop_.step_wall(step);
}

void BusWorld::change_delays() {
    Faults faults = BusPlan::draw_faults(random_);
    faults.stream_buffer = plan_.faults.stream_buffer;
    tell(fmt::format("the network now delays by up to {} s", to_seconds(faults.max_delay)));
    network_.set_faults(faults);
}

}  // namespace caribou::sim
