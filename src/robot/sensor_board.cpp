#include "robot/sensor_board.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/suggestion.hpp"

namespace caribou::robot {
namespace {

bool is_for_power(motion::SensorKind kind) {
    return kind == motion::SensorKind::battery || kind == motion::SensorKind::charger;
}

}  // namespace

SensorBoard::SensorBoard(motion::Body& body, RobotBuffers& buffers, const std::vector<std::string>& off)
    : body_(body), buffers_(buffers) {
    const auto& sensors = body_.plan().sensors;
    for (std::size_t i = 0; i < sensors.size(); ++i)
        if (std::ranges::count(off, sensors[i].name) > 0 && !sensors[i].required) off_.insert(i);
    publish();
}

std::optional<link::Objection> SensorBoard::enable(std::string_view name, bool on) {
    const auto& sensors = body_.plan().sensors;
    const auto found = std::ranges::find(sensors, name, &motion::SensorPlan::name);
    if (found == sensors.end()) {
        std::vector<std::string> known;
        for (const motion::SensorPlan& each : sensors) known.push_back(each.name);
        return link::Objection{link::Refusal::bad_argument,
                               fmt::format("there is no sensor `{}`{}", name, instead_of(name, known))};
    }
    if (!on && found->required)
        return link::Objection{link::Refusal::unsafe,
                               fmt::format("without {} the robot must not move", name)};
    const auto sensor = static_cast<std::size_t>(found - sensors.begin());
    if (on)
        off_.erase(sensor);
    else
        off_.insert(sensor);
    publish();
    return std::nullopt;
}

void SensorBoard::power_for_driving(bool on) {
    if (std::exchange(driving_, on) != on) publish();
}

void SensorBoard::power_all(bool on) {
    if (std::exchange(collecting_, on) != on) publish();
}

void SensorBoard::leave_off(std::set<std::string> kinds) {
    if (kinds == unneeded_) return;
    unneeded_ = std::move(kinds);
    publish();
}

bool SensorBoard::reads(std::string_view name) const {
    const auto& sensors = body_.plan().sensors;
    const auto found = std::ranges::find(sensors, name, &motion::SensorPlan::name);
    return found != sensors.end() && is_read(static_cast<std::size_t>(found - sensors.begin()));
}

bool SensorBoard::is_read(std::size_t sensor) const {
    const motion::SensorPlan& plan = body_.plan().sensors[sensor];
    const bool is_needed = plan.required || !unneeded_.contains(std::string(to_string(plan.kind)));
    return !off_.contains(sensor) && is_needed && collecting_ && (driving_ || is_for_power(plan.kind));
}

void SensorBoard::publish() {
    std::vector<std::size_t> array;
    const auto& sensors = body_.plan().sensors;
    for (std::size_t i = 0; i < sensors.size(); ++i) {
        const bool read = is_read(i);
        if (read) array.push_back(i);
        // Sensors required by propulsion stay on.
        if (sensors[i].can_power_down && !sensors[i].required && !is_for_power(sensors[i].kind))
            std::ignore = body_.set_power(i, read);
    }
    buffers_.sensor_array.write(std::move(array));
}

}  // namespace caribou::robot
