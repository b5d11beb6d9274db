#include "marine/vehicle_app.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "base/number_text.hpp"
#include "bus/app_settings.hpp"
#include "marine/angles.hpp"
#include "marine/autopilot_words.hpp"
#include "marine/fields.hpp"
#include "marine/origin.hpp"

namespace caribou::marine {
namespace {

constexpr std::string_view unsupported_words[] = {"turn_radius", "wind_conditions", "polar_plot",
                                                  "wormhole",    "dual_state",      "post_navpos_summary"};

constexpr std::string_view input_variables[] = {"DESIRED_THRUST",
                                                "DESIRED_RUDDER",
                                                "DESIRED_ELEVATOR",
                                                "DESIRED_THRUST_L",
                                                "DESIRED_THRUST_R",
                                                "THRUST_MODE_REVERSE",
                                                "THRUST_MODE_DIFFERENTIAL",
                                                "DRIFT_X",
                                                "DRIFT_Y",
                                                "CURRENT_X",
                                                "CURRENT_Y",
                                                "DRIFT_VECTOR",
                                                "DRIFT_VECTOR_ADD",
                                                "DRIFT_VECTOR_MULT",
                                                "ROTATE_SPEED",
                                                "BUOYANCY_RATE",
                                                "WATER_DEPTH",
                                                "USM_TURN_RATE",
                                                "USM_SIM_PAUSED",
                                                "USM_ENABLED",
                                                "USM_RESET"};

double rounded(double value) { return std::round(value * 100) / 100; }

/// Parses `angle,magnitude`.
std::optional<Vec2> parse_drift(std::string_view text) {
    const auto parts = split_outside(text, ',');
    if (parts.size() != 2) return std::nullopt;
    const auto angle = number_in(parts[0]);
    const auto magnitude = number_in(parts[1]);
    if (!angle || !magnitude) return std::nullopt;
    return unit_vector(*angle) * *magnitude;
}

Result<void> check_drift(std::string_view text) {
    if (text.empty() || parse_drift(text)) return {};
    return fail(Code::malformed, fmt::format("expected ANGLE,MAGNITUDE, found `{}`", text));
}

}  // namespace

Result<VehicleState> parse_vehicle_state(std::string_view text, VehicleState state) {
    constexpr std::pair<std::string_view, double VehicleState::*> places[] = {
        {"x", &VehicleState::x},
        {"y", &VehicleState::y},
        {"heading", &VehicleState::heading},
        {"speed", &VehicleState::speed},
        {"depth", &VehicleState::depth}};
    std::size_t next = 0;
    for (const TextField& field : fields_in(text)) {
        const auto value = number_in(field.value);
        double VehicleState::* place = nullptr;
        if (field.name.empty() && next < std::size(places)) place = places[next++].second;
        for (const auto& [name, known] : places)
            if (!field.name.empty() &&
                (field.name == name || (name.starts_with(field.name) && field.name.size() >= 3) ||
                 (field.name == "hdg" && name == "heading") || (field.name == "spd" && name == "speed")))
                place = known;
        if (!value || !place)
            return fail(Code::malformed,
                        fmt::format("expected x=,y=,heading=,speed=,depth=, found `{}`", text));
        state.*place = *value;
    }
    state.heading = folded_360(state.heading);
    state.depth = std::max(state.depth, 0.0);
    return state;
}

VehicleApp::VehicleApp(bus::AppFrame& frame) : App(frame) {
    declare_words();
    declare_autopilot(parameters(), autopilot_settings_);
    appcast([this] { return report(); });
}

void VehicleApp::declare_words() {
    auto& words = parameters();
    constexpr bus::Range any{.low = -1e9, .high = 1e9};
    constexpr bus::Range positive{.low = 0, .high = 1e6};
    words.add("prefix", prefix_, "prefix of the variables: PREFIX_X …");
    words.add("start_pos", start_position_,
              bus::check_by([](auto text) { return parse_vehicle_state(text, {}); }),
              "x=,y=,heading=,speed=,depth=");
    words.add("start_x", start_.x, any, "meters");
    words.add("start_y", start_.y, any, "meters");
    words.add("start_heading", start_.heading, any, "degrees");
    words.add("start_speed", start_.speed, any, "m/s");
    words.add("start_depth", start_.depth, positive, "meters");
    words.add("thrust_map", thrust_map_,
              bus::check_by([](auto text) { return ThrustMap::parse(text, 1, false); }),
              "thrust:speed, thrust:speed … in m/s, ascending");
    words.add("thrust_factor", thrust_factor_, positive, "without a map: speed = thrust / factor");
    words.add("thrust_reflect", thrust_reflect_, "the map also applies to negative thrust");
    words.add("turn_rate", settings_.turn_rate, {0, 100}, "");
    words.add("turn_spd_loss", settings_.turn_speed_loss, {0, 1}, "part of the speed lost at full rudder");
    words.add("turn_loss", settings_.turn_speed_loss, {0, 1}, "same as turn_spd_loss");
    words.add("max_acceleration", settings_.max_acceleration, positive, "m/s²; 0: no limit");
    words.add("max_deceleration", settings_.max_deceleration, positive, "m/s²; 0: no limit");
    words.add("max_speed", settings_.max_speed, positive, "m/s");
    words.add("max_rudder_degs_per_sec", settings_.max_rudder_rate, positive, "0: no limit");
    words.add("buoyancy_rate", settings_.buoyancy_rate, any, "m/s");
    words.add("max_depth_rate", settings_.max_depth_rate, positive, "m/s");
    words.add("max_depth_rate_speed", settings_.max_depth_rate_speed, positive, "m/s");
    words.add("default_water_depth", water_depth_, positive, "meters; 0: not known");
    words.add("drift_x", drift_x_, any, "m/s");
    words.add("drift_y", drift_y_, any, "m/s");
    words.add("drift_vector", drift_vector_, check_drift, "angle,magnitude");
    words.add("rotate_speed", rotate_speed_, any, "degrees per second");
    words.add("sim_pause", paused_, "start paused");
    for (std::size_t i = 0; i < std::size(unsupported_words); ++i)
        words.add(std::string(unsupported_words[i]), unsupported_[i], "not simulated");
}

Result<void> VehicleApp::on_start_up() {
    for (std::size_t i = 0; i < std::size(unsupported_words); ++i)
        if (parameters().is_set(unsupported_words[i])) {
            add_config_warning(fmt::format("{} has no effect here", unsupported_words[i]));
            log().warning(fmt::format("{} has no effect here", unsupported_words[i]));
        }
    auto map = ThrustMap::parse(thrust_map_, thrust_factor_, thrust_reflect_);
    if (!map) return fail(Code::invalid_argument, "thrust_map: " + map.error().message);
    settings_.thrust_map = std::move(*map);
    const auto start = parse_vehicle_state(start_position_, start_);
    if (!start) return fail(Code::invalid_argument, "start_pos: " + start.error().message);
    start_ = *start;
    vehicle_.emplace(settings_, start_);
    vehicle_->set_rotate_speed(rotate_speed_);
    vehicle_->set_drift({drift_x_, drift_y_});
    if (!drift_vector_.empty()) take_drift(drift_vector_, true);
    if (has_autopilot_words(parameters())) autopilot_.emplace(autopilot_settings_);
    geodesy_ = geodesy_of(settings());
    return {};
}

Result<void> VehicleApp::on_connect_to_server() {
    for (const std::string_view variable : input_variables) register_variable(variable);
    if (autopilot_)
        for (const std::string_view variable : autopilot_variables) register_variable(variable);
    drift_summary_.clear();
    return {};
}

Result<void> VehicleApp::on_new_mail(std::span<const wire::Message> mail) {
    for (const wire::Message& message : mail) {
        if (autopilot_) pass_to(*autopilot_, message);
        if (message.is_number()) take_number(message);
        if (message.is_string()) take_text(message);
    }
    return {};
}

void VehicleApp::take_number(const wire::Message& message) {
    const std::string_view key = message.key;
    const double value = message.value;
    const Vec2 drift = vehicle_->drift();
    if (key == "DESIRED_THRUST" && !autopilot_) vehicle_->order_thrust(value);
    if (key == "DESIRED_RUDDER" && !autopilot_) vehicle_->order_rudder(value, now());
    if (key == "DESIRED_ELEVATOR" && !autopilot_) vehicle_->order_elevator(value);
    if (key == "DESIRED_THRUST_L") sides_.x = value;
    if (key == "DESIRED_THRUST_R") sides_.y = value;
    vehicle_->order_sides(sides_.x, sides_.y);
    if (key == "DRIFT_X" || key == "CURRENT_X") vehicle_->set_drift({value, drift.y});
    if (key == "DRIFT_Y" || key == "CURRENT_Y") vehicle_->set_drift({drift.x, value});
    if (key == "DRIFT_VECTOR_MULT") vehicle_->set_drift(drift * value);
    if (key == "ROTATE_SPEED") vehicle_->set_rotate_speed(value);
    if (key == "BUOYANCY_RATE") vehicle_->set_buoyancy_rate(value);
    if (key == "USM_TURN_RATE") vehicle_->set_turn_rate(value);
    if (key == "WATER_DEPTH") water_depth_ = value;
}

void VehicleApp::take_text(const wire::Message& message) {
    const std::string_view key = message.key;
    const auto truth = truth_in(message.payload);
    if (key == "THRUST_MODE_DIFFERENTIAL" && truth) vehicle_->set_differential(*truth);
    if (key == "THRUST_MODE_REVERSE" && truth) vehicle_->set_reverse(*truth);
    if (key == "USM_SIM_PAUSED" && truth) paused_ = *truth;
    if (key == "USM_ENABLED" && truth) enabled_ = *truth;
    if (key == "DRIFT_VECTOR") take_drift(message.payload, false);
    if (key == "DRIFT_VECTOR_ADD") take_drift(message.payload, true);
    if (key == "USM_RESET") reset(message.payload);
}

void VehicleApp::take_drift(std::string_view text, bool adds) {
    const auto drift = parse_drift(text);
    if (!drift) return add_run_warning(fmt::format("expected a drift ANGLE,MAGNITUDE, found `{}`", text));
    vehicle_->set_drift(adds ? vehicle_->drift() + *drift : *drift);
}

void VehicleApp::reset(std::string_view text) {
    const auto state = parse_vehicle_state(text, start_);
    if (!state) return add_run_warning("USM_RESET: " + state.error().message);
    vehicle_->reset(*state);
    notify("USM_RESET_COUNT", static_cast<double>(++resets_));
}

Result<void> VehicleApp::iterate() {
    if (!comms().connected()) return {};
    if (autopilot_) {
        const auto step = autopilot_->step(stamp());
        if (step.orders) {
            vehicle_->order_rudder(step.orders->rudder, now());
            vehicle_->order_thrust(step.orders->thrust);
            vehicle_->order_elevator(step.orders->elevator.value_or(0));
        }
    }
    if (last_step_ && !paused_ && enabled_) vehicle_->step(to_seconds(now() - *last_step_));
    last_step_ = now();
    publish_drift();
    if (++iteration_ % 2 == 0 && enabled_) publish();
    return {};
}

void VehicleApp::publish() {
    const VehicleState& at = vehicle_->state();
    const double time = stamp();
    const auto put = [&](std::string_view name, double value) {
        notify(fmt::format("{}_{}", prefix_, name), value, {.time = time});
    };
    put("X", at.x);
    put("Y", at.y);
    if (geodesy_) {
        const Geographic point = geodesy_->geographic(at.position());
        put("LAT", point.latitude);
        put("LONG", point.longitude);
    }
    put("HEADING", at.heading);
    put("SPEED", rounded(std::min(at.speed, settings_.max_speed)));
    put("DEPTH", at.depth);
    put("Z", -at.depth);
    put("PITCH", at.pitch);
    put("YAW", in_radians(folded_180(-at.heading)));
    put("HEADING_OVER_GROUND", at.heading_over_ground);
    put("SPEED_OVER_GROUND", at.speed_over_ground);
    if (water_depth_ > 0) put("ALTITUDE", water_depth_ - at.depth);
    notify("SIMULATION_MODE", "TRUE", {.time = time});
    notify("TRUE_X", at.x, {.time = time});
    notify("TRUE_Y", at.y, {.time = time});
}

void VehicleApp::publish_drift() {
    const Vec2 drift = vehicle_->drift();
    const std::string summary =
        fmt::format("ang={}, mag={}, xmag={}, ymag={}", short_number(heading_of(drift), 2),
                    short_number(length(drift), 2), short_number(drift.x, 2), short_number(drift.y, 2));
    if (summary == drift_summary_) return;
    drift_summary_ = summary;
    notify("USM_DRIFT_SUMMARY", summary);
}

std::string VehicleApp::report() const {
    const VehicleState& at = vehicle_->state();
    return fmt::format(
        "Position: {:.1f}, {:.1f}\nHeading:  {:.1f}\nSpeed:    {:.2f} m/s\nDepth:    {:.1f} m\n"
        "Drift:    {}\nResets:   {}\nAutopilot inside: {}\n",
        at.x, at.y, at.heading, at.speed, at.depth, drift_summary_, resets_, autopilot_.has_value());
}

}  // namespace caribou::marine
