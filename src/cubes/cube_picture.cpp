#include "cubes/cube_picture.hpp"

#include <iterator>
#include <ranges>

#include <fmt/format.h>

#include "base/json_text.hpp"

namespace caribou::cubes {
namespace {

constexpr std::size_t shown_transitions = 30;
constexpr std::size_t shown_messages = 50;

/// Returns the last `most` items, formatted with `write`, newest last.
template <class Items, class Write>
std::string last_of(const Items& items, std::size_t most, Write write) {
    std::string text;
    const std::size_t skipped = items.size() > most ? items.size() - most : 0;
    for (const auto& item : items | std::views::drop(skipped))
        text.append(text.empty() ? "" : ",").append(write(item));
    return text;
}

class CubesWriter {
public:
    CubesWriter(const CubeSystem& cubes, const Clock& clock)
        : cubes_(cubes),
          now_(clock.now()),
          zero_(clock.unix_seconds() - to_seconds(now_.time_since_epoch())) {}

    std::string comms() const {
        const LinkState state = cubes_.comms.link_state();
        return fmt::format(R"({{"state":"{}","scanning":{},"radio":{}}})", to_string(state),
                           state == LinkState::scanning, json_quoted(cubes_.comms.radio().name()));
    }
    std::string coordinator() const {
        const CoordinatorStatus status = cubes_.coordinator.status();
        const auto& history = cubes_.coordinator.history();
        return fmt::format(R"({{"state":"{}","since":{},"countdown":{},"next":{},"why":{}}})",
                           to_string(status.state), history.empty() ? "null" : time(history.back().when),
                           status.countdown ? json_fixed(to_seconds(status.countdown->left), 1) : "null",
                           json_quoted(status.countdown ? status.countdown->what : ""),
                           json_quoted(history.empty() ? "" : history.back().why));
    }
    std::string subscribers() const {
        return last_of(cubes_.coordinator.status().subscribers, SIZE_MAX, [&](const SubscriberStatus& one) {
            return fmt::format(R"({{"name":{},"type":"{}","since":{}}})", json_quoted(one.name),
                               to_string(one.type), time(now_ - one.for_so_long));
        });
    }
    std::string all() const {
        return last_of(cubes_.comms.seen() | std::views::values, SIZE_MAX,
                       [&](const Advertisement& seen) { return cube(seen); });
    }
    std::string transitions() const {
        return last_of(cubes_.coordinator.history(), shown_transitions, [&](const Transition& each) {
            return fmt::format(R"({{"at":{},"from":"{}","to":"{}","why":{}}})", time(each.when),
                               to_string(each.from), to_string(each.to), json_quoted(each.why));
        });
    }
    std::string trace() const {
        return last_of(cubes_.comms.trace().messages(), shown_messages, [&](const TracedMessage& each) {
            const auto message = decode(each.bytes);
            return fmt::format(R"({{"at":{},"direction":"{}","text":{}}})", time(each.when),
                               each.direction == TracedMessage::Direction::from_cube ? "in" : "out",
                               json_quoted(message ? describe(*message) : message.error().message));
        });
    }

private:
    std::string time(Instant at) const { return json_fixed(zero_ + to_seconds(at.time_since_epoch()), 3); }

    std::string cube(const Advertisement& seen) const {
        const bool is_ours = cubes_.comms.cube() == seen.address;
        const bool connected = is_ours && cubes_.comms.link_state() == LinkState::connected;
        std::string json =
            fmt::format(R"({{"id":"{}","name":{},"state":"{}","rssi":{},"preferred":{},"connected":{})",
                        to_string(seen.address), json_quoted(seen.name),
                        is_ours ? to_string(cubes_.comms.link_state()) : "seen", seen.rssi,
                        cubes_.comms.preferred() == seen.address, connected);
        if (connected) json += senses();
        return json + "}";
    }
    /// Returns the sensor readings of the connected cube.
    std::string senses() const {
        const CubeSensing& sensing = cubes_.sensing();
        std::string lights;
        for (const Color color : cubes_.lights.colors())
            fmt::format_to(std::back_inserter(lights), R"({}"#{:02x}{:02x}{:02x}")",
                           lights.empty() ? "" : ",", color.red, color.green, color.blue);
        std::string json = fmt::format(R"(,"lights":[{}],"moving":{},"up_axis":"{}","taps":{})", lights,
                                       sensing.moving(), to_string(sensing.up_axis()), sensing.tapped());
        if (const auto volts = sensing.volts())
            json += fmt::format(R"(,"battery":{})", json_fixed(*volts, 2));
        if (const auto rest = sensing.acceleration())
            json += fmt::format(R"(,"acceleration":[{},{},{}])", json_fixed(rest->x / standard_gravity, 2),
                                json_fixed(rest->y / standard_gravity, 2),
                                json_fixed(rest->z / standard_gravity, 2));
        return json;
    }

    const CubeSystem& cubes_;
    Instant now_;
    double zero_;  ///< the origin of the loop's clock, in UNIX seconds
};

}  // namespace

std::string picture_json(const CubeSystem& cubes, const Clock& clock) {
    const CubesWriter picture(cubes, clock);
    return fmt::format(
        R"({{"comms":{},"coordinator":{},"subscribers":[{}],"cubes":[{}],"transitions":[{}],"trace":[{}]}})",
        picture.comms(), picture.coordinator(), picture.subscribers(), picture.all(), picture.transitions(),
        picture.trace());
}

}  // namespace caribou::cubes
