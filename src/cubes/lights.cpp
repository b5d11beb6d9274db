#include "cubes/lights.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace caribou::cubes {

std::string_view to_string(LightLayer layer) {
    switch (layer) {
        case LightLayer::user: return "user";
        case LightLayer::engine: return "engine";
        case LightLayer::state: return "state";
    }
    return "unknown";
}

LightPlay::LightPlay(LightPlay&& other) noexcept
    : lights_(std::move(other.lights_)), id_(std::exchange(other.id_, 0)) {}

LightPlay& LightPlay::operator=(LightPlay&& other) noexcept {
    if (this == &other) return *this;
    stop();
    lights_ = std::move(other.lights_);
    id_ = std::exchange(other.id_, 0);
    return *this;
}

void LightPlay::stop() {
    if (const auto lights = std::exchange(lights_, {}).lock()) (*lights)->stop(id_);
}

bool LightPlay::playing() const {
    const auto lights = lights_.lock();
    return lights && (*lights)->holds(id_);
}

CubeLightComponent::CubeLightComponent(Loop& loop, CubeCommsComponent& comms, Log& log)
    : loop_(loop),
      comms_(comms),
      log_(log),
      timer_(loop.make_timer([this] { refresh(); })),
      self_(std::make_shared<CubeLightComponent*>(this)) {
    comms_.add_observer(*this);
}

CubeLightComponent::~CubeLightComponent() {
    self_.reset();  // before connection_play_ tries to access it
    comms_.remove_observer(*this);
}

Result<LightPlay> CubeLightComponent::play(LightLayer layer, const LightPattern& pattern) {
    auto program = compile(pattern);
    if (!program) return fail(std::move(program.error()));
    Playing playing{++last_id_, std::move(*program), {}};
    if (pattern.duration) playing.ends = loop_.clock().now() + *pattern.duration;
    layers_[static_cast<std::size_t>(layer)] = std::move(playing);
    const std::uint64_t id = last_id_;
    refresh();
    return LightPlay(self_, id);
}

void CubeLightComponent::stop(std::uint64_t id) {
    for (auto& playing : layers_)
        if (playing && playing->id == id) playing.reset();
    refresh();
}

bool CubeLightComponent::holds(std::uint64_t id) const {
    return std::ranges::any_of(layers_, [&](const auto& playing) { return playing && playing->id == id; });
}

void CubeLightComponent::set_localized(bool localized) {
    if (std::exchange(localized_, localized) != localized) enable_status_lights(status_enabled_);
}

void CubeLightComponent::enable_status_lights(bool enabled) {
    status_enabled_ = enabled;
    auto& state = layers_[static_cast<std::size_t>(LightLayer::state)];
    state.reset();
    if (enabled)
        state = {
            ++last_id_, *compile(localized_ ? localized_light_pattern() : not_localized_light_pattern()), {}};
    refresh();
}

void CubeLightComponent::play_connection_lights() { play_for_connection(connection_light_pattern()); }

Duration CubeLightComponent::play_disconnect_lights() {
    return play_for_connection(disconnect_light_pattern());
}

Duration CubeLightComponent::play_for_connection(const LightPattern& pattern) {
    if (auto play_now = play(LightLayer::engine, pattern)) connection_play_ = std::move(*play_now);
    return pattern.duration.value_or(Duration::zero());
}

std::optional<LightLayer> CubeLightComponent::showing() const {
    if (comms_.link_state() != LinkState::connected) return std::nullopt;
    for (const LightLayer layer : {LightLayer::user, LightLayer::engine, LightLayer::state})
        if (layers_[static_cast<std::size_t>(layer)]) return layer;
    return std::nullopt;
}

LedColors CubeLightComponent::colors() const {
    if (shown_ == 0) return {};
    return colors_at(sent_, loop_.clock().now() - sent_at_);
}

void CubeLightComponent::on_link_connected() {
    shown_ = 0;  // a cube is dark when it connects, also after a link whose end was not reported
    refresh();
}

void CubeLightComponent::on_link_closed(const Error&) { shown_ = 0; }

void CubeLightComponent::refresh() {
    const Instant now = loop_.clock().now();
    std::optional<Instant> next;
    for (auto& playing : layers_) {
        if (playing && playing->ends && now >= *playing->ends) playing.reset();
        if (playing && playing->ends && (!next || *playing->ends < *next)) next = playing->ends;
    }
    next ? timer_->arm(*next) : timer_->cancel();
    if (comms_.link_state() != LinkState::connected) return;
    const auto layer = showing();
    const Playing* top = layer ? &*layers_[static_cast<std::size_t>(*layer)] : nullptr;
    if (std::exchange(shown_, top ? top->id : 0) == (top ? top->id : 0)) return;
    static const LightProgram dark = *compile(steady({}));
    send(top ? top->program : dark);
}

void CubeLightComponent::send(const LightProgram& program) {
    sent_ = program;
    sent_at_ = loop_.clock().now();
    for (const CubeMessage& message : to_messages(program))
        if (const auto sent = comms_.send(message); !sent) {
            log_.warning(fmt::format("the lights were not sent: {}", sent.error().message));
            return;
        }
}

}  // namespace caribou::cubes
