#include "robot/cube_lights_action.hpp"

#include <array>

namespace caribou::robot {
namespace {

constexpr std::array<std::pair<std::string_view, cubes::Color>, 7> named_colors{{
    {"red", {255, 0, 0}},
    {"green", {0, 255, 0}},
    {"blue", {0, 0, 255}},
    {"yellow", {255, 255, 0}},
    {"purple", {160, 0, 160}},
    {"cyan", {0, 255, 255}},
    {"white", {255, 255, 255}},
}};

}  // namespace

std::vector<std::string> cube_color_names() {
    std::vector<std::string> names;
    for (const auto& [name, color] : named_colors) names.emplace_back(name);
    return names;
}

cubes::Color cube_color(std::string_view name) {
    for (const auto& [known, color] : named_colors)
        if (known == name) return color;
    return {};
}

void CubeLightsAction::start(Instant now) {
    ends_ = now + options_.time;
    cubes::LightPattern pattern;
    const bool blinks = options_.blink > Duration::zero();
    pattern.leds.fill({.on_color = options_.color,
                       .on_time = blinks ? options_.blink : std::chrono::seconds(1),
                       .off_time = blinks ? options_.blink : Duration{0}});
    if (auto play = cubes_.lights.play(cubes::LightLayer::engine, pattern)) play_ = std::move(*play);
}

std::optional<behavior::Outcome> CubeLightsAction::poll(Instant now) {
    const bool connected = cubes_.coordinator.connection().has_value();
    if (connected && now < ends_) return std::nullopt;
    play_.stop();
    return connected ? behavior::Outcome::succeeded() : behavior::Outcome::failed("no cube is connected");
}

}  // namespace caribou::robot
