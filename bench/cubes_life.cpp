#include <array>
#include <chrono>
#include <memory>

#include "base/random.hpp"
#include "cubes/cube_system.hpp"
#include "cubes/simulated_radio.hpp"
#include "cubes_figures.hpp"
#include "give_up.hpp"
#include "loop/virtual_loop.hpp"

namespace caribou::bench {
namespace {

using namespace std::chrono_literals;

class Guest final : public cubes::CubeConnectionSubscriber {
public:
    std::string_view cube_connection_debug_name() const override { return "guest"; }
    void connection_lost_callback() override {}

    cubes::CubeSubscription subscription;
};

/// A cube whose connection breaks, fails and hangs, and subscribers that come and go.
class Life {
public:
    Life() {
        for (const std::uint64_t bits : {1U, 2U, 3U}) radio_.add_cube({.address = {bits}, .streams = false});
    }

    void run(Duration time) {
        for (const Instant end = loop_.clock().now() + time; loop_.clock().now() < end;) {
            happen();
            loop_.advance(random_.between(1, 120) * 1s);
        }
    }

    bool comes_to_rest() {
        for (Guest& guest : guests_) guest.subscription.reset();
        radio_.set_faults({});
        loop_.advance(2min);
        return radio_.idle() && cubes_.coordinator.state() == cubes::CoordinatorState::unconnected;
    }

    std::uint64_t transitions() const { return cubes_.coordinator.transitions(); }

private:
    void happen() {
        Guest& guest = guests_[random_.below(guests_.size())];
        switch (random_.below(8)) {
            case 0: return radio_.drop_link();
            case 1:
                return radio_.set_faults({.refuse_connect = random_.chance(0.2),
                                          .hang_connect = random_.chance(0.2),
                                          .refuse_disconnect = random_.chance(0.2),
                                          .hang_disconnect = random_.chance(0.2),
                                          .hang_values = random_.chance(0.2)});
            case 2:
            case 3:
            case 4: return guest.subscription.reset();
            default: break;
        }
        cubes::SubscribeOptions options;
        if (random_.chance(0.5)) options.type = cubes::ConnectionType::background;
        if (random_.chance(0.5)) options.expires_after = random_.between(1, 300) * 1s;
        guest.subscription = cubes_.coordinator.subscribe(guest, options);
    }

    Random random_{1};
    VirtualLoop loop_;
    NullLog log_;
    cubes::MemoryPreferenceStore store_;
    cubes::SimulatedRadio radio_{loop_};
    cubes::CubeSystem cubes_{loop_, radio_, store_, log_};
    std::array<Guest, 8> guests_;
};

}  // namespace

void simulated_hours_per_s(const Report& report, const Effort&) {
    constexpr int hours = 10'000;
    Life life;
    const auto begin = std::chrono::steady_clock::now();
    life.run(hours * 1h);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    if (!life.comes_to_rest()) give_up("nobody needs a cube any more, and the radio does not rest");
    if (life.transitions() < hours) give_up("hardly anything has happened");
    report.add({.metric = "simulated_hours_per_s", .value = hours / took.count(), .unit = "h/s"});
}

void update_1000_us(const Report& report, const Effort&) {
    VirtualLoop loop;
    NullLog log;
    cubes::MemoryPreferenceStore store;
    cubes::SimulatedRadio radio(loop);
    radio.add_cube({.streams = false});
    cubes::CubeSystem cubes(loop, radio, store, log);
    std::vector<Guest> guests(1000);
    for (std::size_t i = 0; i < guests.size(); ++i) {
        cubes::SubscribeOptions options{.type = cubes::ConnectionType::background};
        if (i % 2 == 0) options.expires_after = 1h + static_cast<int>(i) * 1s;
        guests[i].subscription = cubes.coordinator.subscribe(guests[i], options);
    }
    loop.advance(30s);
    if (!cubes.coordinator.connection()) give_up("the cube is not connected");
    // Each subscription of a further subscriber, and its end, causes one update.
    constexpr int rounds = 20'000;
    Guest coming_and_going;
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < rounds; ++i) {
        coming_and_going.subscription =
            cubes.coordinator.subscribe(coming_and_going, {.type = cubes::ConnectionType::background});
        loop.run_ready();
        coming_and_going.subscription.reset();
        loop.run_ready();
    }
    const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - begin;
    report.add({.metric = "update_1000_us", .value = took.count() / (2 * rounds), .unit = "us"});
}

}  // namespace caribou::bench
