#include "cubes/cube_picture.hpp"

#include <algorithm>
#include <ranges>

#include <fmt/format.h>

namespace caribou::cubes {
namespace {

constexpr std::size_t shown_transitions = 30;
constexpr std::size_t shown_messages = 50;

/// Returns the last `most` items, newest last.
template <class Items>
auto last_of(const Items& items, std::size_t most) {
    return items | std::views::drop(items.size() > most ? items.size() - most : 0);
}

/// Takes the parts of a snapshot.
class Snapshot {
public:
    Snapshot(const CubeSystem& cubes, const Clock& clock)
        : cubes_(cubes),
          now_(clock.now()),
          zero_(clock.unix_seconds() - to_seconds(now_.time_since_epoch())) {}

    data::CubeLink link() const {
        const LinkState state = cubes_.comms.link_state();
        data::CubeLink link{.state = std::string(to_string(state)),
                            .scanning = state == LinkState::scanning,
                            .radio = std::string(cubes_.comms.radio().name())};
        if (const auto end = cubes_.comms.deadline())
            link.left = to_seconds(std::max(*end - now_, Duration::zero()));
        return link;
    }
    data::CubeCoordinator coordinator() const {
        const CoordinatorStatus status = cubes_.coordinator.status();
        const auto& history = cubes_.coordinator.history();
        data::CubeCoordinator coordinator{.state = std::string(to_string(status.state))};
        if (!history.empty()) {
            coordinator.since = time(history.back().when);
            coordinator.why = history.back().why;
        }
        if (status.countdown) {
            coordinator.countdown = to_seconds(status.countdown->left);
            coordinator.next = status.countdown->what;
        }
        return coordinator;
    }
    std::vector<data::CubeSubscriber> subscribers() const {
        std::vector<data::CubeSubscriber> all;
        for (const SubscriberStatus& one : cubes_.coordinator.status().subscribers)
            all.push_back({one.name, std::string(to_string(one.type)), time(now_ - one.for_so_long)});
        return all;
    }
    std::vector<data::SeenCube> seen_cubes() const {
        std::vector<data::SeenCube> all;
        for (const Advertisement& seen : cubes_.comms.seen() | std::views::values) all.push_back(cube(seen));
        return all;
    }
    std::vector<data::CubeTransition> transitions() const {
        std::vector<data::CubeTransition> all;
        for (const Transition& each : last_of(cubes_.coordinator.history(), shown_transitions))
            all.push_back({time(each.when), std::string(to_string(each.from)),
                           std::string(to_string(each.to)), each.why});
        return all;
    }
    std::vector<data::CubeMessage> trace() const {
        std::vector<data::CubeMessage> all;
        for (const TracedMessage& each : last_of(cubes_.comms.trace().messages(), shown_messages)) {
            const auto message = decode(each.bytes);
            all.push_back({time(each.when),
                           each.direction == TracedMessage::Direction::from_cube ? "in" : "out",
                           message ? describe(*message) : message.error().message});
        }
        return all;
    }

private:
    double time(Instant at) const { return zero_ + to_seconds(at.time_since_epoch()); }

    data::SeenCube cube(const Advertisement& seen) const {
        const bool is_ours = cubes_.comms.cube() == seen.address;
        data::SeenCube cube{
            .id = to_string(seen.address),
            .name = seen.name,
            .state = std::string(is_ours ? to_string(cubes_.comms.link_state()) : "seen"),
            .rssi = seen.rssi,
            .preferred = cubes_.comms.preferred() == seen.address,
            .connected = is_ours && cubes_.comms.link_state() == LinkState::connected,
        };
        if (cube.connected) cube.senses = senses();
        return cube;
    }
    data::CubeSenses senses() const {
        const CubeSensing& sensing = cubes_.sensing();
        data::CubeSenses senses{.moving = sensing.moving(),
                                .up_axis = std::string(to_string(sensing.up_axis())),
                                .taps = sensing.tapped()};
        for (const Color color : cubes_.lights.colors())
            senses.lights.push_back(fmt::format("#{:02x}{:02x}{:02x}", color.red, color.green, color.blue));
        if (const auto volts = sensing.volts()) senses.battery = *volts;
        if (const auto rest = sensing.acceleration())
            senses.acceleration = {rest->x / standard_gravity, rest->y / standard_gravity,
                                   rest->z / standard_gravity};
        return senses;
    }

    const CubeSystem& cubes_;
    Instant now_;
    double zero_;  ///< the origin of the loop's clock, in UNIX seconds
};

}  // namespace

data::Cubes picture_of(const CubeSystem& cubes, const Clock& clock) {
    const Snapshot snapshot(cubes, clock);
    return {.comms = snapshot.link(),
            .coordinator = snapshot.coordinator(),
            .subscribers = snapshot.subscribers(),
            .cubes = snapshot.seen_cubes(),
            .transitions = snapshot.transitions(),
            .trace = snapshot.trace()};
}

}  // namespace caribou::cubes
