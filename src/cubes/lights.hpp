#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "base/log.hpp"
#include "cubes/comms.hpp"
#include "cubes/connection_lights.hpp"
#include "cubes/light_pattern.hpp"
#include "loop/loop.hpp"

namespace caribou::cubes {

/// Who decides on the lights, highest first. What a lower layer plays shows when the ones above it
/// are done.
enum class LightLayer : std::uint8_t {
    user,    ///< somebody at a page or a command line
    engine,  ///< behaviors; connection and disconnect lights
    state,   ///< whether the cube is localized
};
std::string_view to_string(LightLayer layer);

class CubeLightComponent;

/// Holds a pattern that plays: letting it go stops it. Without effect when it is over, or another has
/// taken its place. May outlive the lights.
class LightPlay {
public:
    LightPlay() = default;
    LightPlay(LightPlay&& other) noexcept;
    LightPlay& operator=(LightPlay&& other) noexcept;
    ~LightPlay() { stop(); }

    void stop();
    bool playing() const;

private:
    friend class CubeLightComponent;
    LightPlay(std::weak_ptr<CubeLightComponent*> lights, std::uint64_t id)
        : lights_(std::move(lights)), id_(id) {}

    std::weak_ptr<CubeLightComponent*> lights_;
    std::uint64_t id_ = 0;
};

/// Decides what the four LEDs of the connected cube show, and sends it.
class CubeLightComponent final : public ConnectionLights, private LinkEvents {
public:
    /// All of them outlive it.
    CubeLightComponent(Loop& loop, CubeCommsComponent& comms, Log& log);
    ~CubeLightComponent();
    CubeLightComponent(const CubeLightComponent&) = delete;
    CubeLightComponent& operator=(const CubeLightComponent&) = delete;

    /// Plays on this layer, in place of what was there. It may begin before a cube is connected, and
    /// then shows as soon as one is.
    Result<LightPlay> play(LightLayer layer, const LightPattern& pattern);
    /// Whether the position of the cube is known.
    void set_localized(bool localized);

    /// What the LEDs show at this moment. Dark without a cube.
    LedColors colors() const;
    /// The layer that shows; none: dark.
    std::optional<LightLayer> showing() const;

    void play_connection_lights() override;
    Duration play_disconnect_lights() override;
    void stop_connection_lights() override { connection_play_.stop(); }
    void enable_status_lights(bool enabled) override;

private:
    friend class LightPlay;

    struct Playing {
        std::uint64_t id;
        LightProgram program;
        std::optional<Instant> ends;
    };

    void on_link_connected() override;
    void on_link_closed(const Error&) override;

    Duration play_for_connection(const LightPattern& pattern);
    void stop(std::uint64_t id);
    bool holds(std::uint64_t id) const;
    /// Ends what is over, and sends what is new.
    void refresh();
    void send(const LightProgram& program);

    Loop& loop_;
    CubeCommsComponent& comms_;
    Log& log_;
    std::array<std::optional<Playing>, 3> layers_;  ///< by LightLayer
    std::uint64_t last_id_ = 0;
    std::uint64_t shown_ = 0;  ///< the id of what was sent last; 0: dark
    LightProgram sent_;
    Instant sent_at_{};
    bool localized_ = false;
    bool status_enabled_ = false;
    std::unique_ptr<Timer> timer_;
    std::shared_ptr<CubeLightComponent*> self_;
    LightPlay connection_play_;
};

}  // namespace caribou::cubes
