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

/// The priority of a pattern, highest first. A pattern on a lower layer is shown when no higher layer plays
/// one.
enum class LightLayer : std::uint8_t {
    user,    ///< a user of the page or of the command line
    engine,  ///< behaviors; connection and disconnect lights
    state,   ///< whether the cube is localized
};
std::string_view to_string(LightLayer layer);

class CubeLightComponent;

/// A handle of a pattern that is playing: destroying it stops the pattern. It has no effect once the pattern
/// has ended or was replaced. May outlive the lights.
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

/// Determines what the four LEDs of the connected cube show, and sends it to the cube.
class CubeLightComponent final : public ConnectionLights, private LinkEvents {
public:
    /// All arguments passed by reference must outlive the component.
    CubeLightComponent(Loop& loop, CubeCommsComponent& comms, Log& log);
    ~CubeLightComponent();
    CubeLightComponent(const CubeLightComponent&) = delete;
    CubeLightComponent& operator=(const CubeLightComponent&) = delete;

    /// Plays a pattern on a layer, replacing the previous one, and returns its handle. It may start before a
    /// cube is connected; it is then shown as soon as one is. Fails if the pattern does not compile.
    Result<LightPlay> play(LightLayer layer, const LightPattern& pattern);
    /// Sets whether the position of the cube is known.
    void set_localized(bool localized);

    /// Returns the current colors of the LEDs, dark without a cube.
    LedColors colors() const;
    /// Returns the layer that is shown, or nullopt if the LEDs are dark.
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
    /// Removes patterns that have ended, and sends the current one if it has changed.
    void refresh();
    void send(const LightProgram& program);

    Loop& loop_;
    CubeCommsComponent& comms_;
    Log& log_;
    std::array<std::optional<Playing>, 3> layers_;  ///< indexed by LightLayer
    std::uint64_t last_id_ = 0;
    std::uint64_t shown_ = 0;  ///< id of the pattern that was sent last; 0: dark
    LightProgram sent_;
    Instant sent_at_{};
    bool localized_ = false;
    bool status_enabled_ = false;
    std::unique_ptr<Timer> timer_;
    std::shared_ptr<CubeLightComponent*> self_;
    LightPlay connection_play_;
};

}  // namespace caribou::cubes
