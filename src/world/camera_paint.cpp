#include "world/camera_paint.hpp"

#include <algorithm>
#include <cmath>

namespace caribou::world {
namespace {

constexpr Shade haze{0.80F, 0.84F, 0.88F};
constexpr Shade zenith{0.36F, 0.50F, 0.68F};
/// Distance at which the haze covers 63 % of a color.
constexpr double haze_depth = 14;

constexpr Shade wall_paint{0.90F, 0.87F, 0.80F};
constexpr Shade baseboard{0.40F, 0.36F, 0.33F};
constexpr Shade wall_trim{0.30F, 0.44F, 0.52F};
constexpr Shade wood{0.66F, 0.46F, 0.28F};
constexpr Shade dark_wood{0.42F, 0.28F, 0.17F};
constexpr Shade cloth{0.10F, 0.10F, 0.14F};
constexpr Shade light_tile{0.78F, 0.74F, 0.68F};
constexpr Shade dark_tile{0.68F, 0.63F, 0.56F};
constexpr Shade grout{0.52F, 0.48F, 0.43F};
constexpr Shade plate{0.16F, 0.55F, 0.32F};
constexpr Shade contacts{0.92F, 0.78F, 0.30F};
constexpr Shade shell{0.93F, 0.93F, 0.95F};
constexpr Shade tire{0.13F, 0.13F, 0.15F};
constexpr Shade eyes{0.35F, 0.95F, 1.00F};
constexpr Shade leaves{0.22F, 0.48F, 0.24F};
constexpr Shade pot{0.70F, 0.36F, 0.24F};
constexpr Shade trousers{0.20F, 0.24F, 0.34F};
constexpr Shade skin{0.86F, 0.66F, 0.52F};
constexpr std::array<Shade, 6> bright{{{0.90F, 0.30F, 0.25F},
                                       {0.20F, 0.52F, 0.84F},
                                       {0.95F, 0.66F, 0.18F},
                                       {0.40F, 0.70F, 0.36F},
                                       {0.62F, 0.40F, 0.74F},
                                       {0.20F, 0.66F, 0.66F}}};

Shade bright_color(std::size_t number) { return bright.at(number % bright.size()); }

/// Faster than std::floor, which is a call without SSE 4.1.
int whole_below(double value) {
    const int whole = static_cast<int>(value);
    return value < whole ? whole - 1 : whole;
}

/// Returns the share of a pixel of size `blur` that a line of that width around a multiple of `period`
/// covers.
float line_share(double at, double period, double width, double blur) {
    const double away = std::abs(at - whole_below(at / period + 0.5) * period);
    const double soft = std::max(blur, 1e-4);
    if (away > (width + soft) / 2) return 0;
    const double inside = std::min((width / 2 + soft / 2 - away) / soft, 1.0);
    // A line that is thinner than a pixel fades.
    return static_cast<float>(inside * std::min(1.0, width / soft));
}

/// Returns a number from 0 to 1 that looks random and depends on the argument only.
float speckle(int x, int y) {
    auto z = static_cast<std::uint32_t>(x) * 0x9e3779b9U ^ static_cast<std::uint32_t>(y) * 0x85ebca6bU;
    z = (z ^ z >> 15) * 0x2c1b3c6dU;
    z ^= z >> 12;
    return static_cast<float>(z & 0xffffU) / 65535.0F;
}

Shade person_color(const CameraScene::Pillar& person, double up) {
    if (up < 0.06) return tire;
    if (up < 0.85) return trousers;
    return up < 1.42 ? bright_color(person.number + 1) : skin;
}

Shade robot_color(const CameraScene::Pillar& robot, double turn, double up) {
    const double share = up / robot.height;
    if (share < 0.22) return tire;
    // Two eyes look ahead.
    if (share > 0.42 && share < 0.78 && std::abs(std::abs(turn) - 0.38) < 0.17) return eyes;
    if (share > 0.36 && share < 0.84 && std::abs(turn) < 0.75) return tire;
    return share > 0.30 && share < 0.40 ? bright_color(robot.number) : shell;
}

}  // namespace

Shade shade_of(Pixel pixel) {
    constexpr float most = 255;
    return {static_cast<float>(pixel.red) / most, static_cast<float>(pixel.green) / most,
            static_cast<float>(pixel.blue) / most};
}

Pixel pixel_of(Shade shade) {
    const auto byte = [](float value) {
        return static_cast<std::uint8_t>(std::clamp(value, 0.0F, 1.0F) * 255.0F + 0.5F);
    };
    return {byte(shade.red), byte(shade.green), byte(shade.blue)};
}

Shade sky(float up) { return mixed(haze, zenith, std::min(1.0F, up * 1.1F)); }

float haze_at(double distance) { return static_cast<float>(1 - std::exp(-distance / haze_depth)); }

Shade hazy(Shade color, float share) { return mixed(color, haze, share); }

float lit(Vec2 normal) {
    // The light comes from one corner of the room, so that the four walls of a room differ.
    constexpr Vec2 from{0.80, 0.60};
    return static_cast<float>(0.80 + 0.20 * dot(normal, from));
}

Shade face_color(const CameraScene::Face& face, double along, double up, double blur) {
    switch (face.surface) {
        case CameraScene::Surface::curtain: return cloth * (0.8F + 0.6F * line_share(along, 0.2, 0.08, blur));
        case CameraScene::Surface::furniture: {
            const Shade panel = mixed(wood, dark_wood, line_share(along, 0.45, 0.02, blur));
            return mixed(panel, dark_wood, up < 0.05 ? 0.8F : up > face.height - 0.035 ? 0.5F : 0.0F);
        }
        case CameraScene::Surface::wall: break;
    }
    if (up < 0.07) return baseboard;
    if (up > face.height - 0.03) return wall_trim;
    return mixed(wall_paint, wall_trim, 0.35F * line_share(along, 1.0, 0.015, blur));
}

Shade pillar_color(const CameraScene::Pillar& pillar, double turn, double up) {
    switch (pillar.shape) {
        case CameraScene::Shape::robot: return robot_color(pillar, turn, up);
        case CameraScene::Shape::person: return person_color(pillar, up);
        case CameraScene::Shape::ball: {
            const bool stripe = std::fmod(turn + 7, 1.05) < 0.52;
            return stripe ? bright_color(pillar.number + 2) : shell;
        }
        case CameraScene::Shape::pillar: break;
    }
    if (up < 0.2) return pot;
    const auto leaf = speckle(whole_below(turn * 6), whole_below(up / 0.05));
    return leaves * (0.75F + 0.5F * leaf);
}

Shade floor_color(Vec2 at, double blur) {
    constexpr double tile = 0.5;
    const int column = whole_below(at.x / tile);
    const int row = whole_below(at.y / tile);
    // Far away the tiles are smaller than a pixel and turn into their mean.
    const float sharp = static_cast<float>(std::clamp(1.4 - blur / tile, 0.0, 1.0));
    const float kind = ((column + row) & 1) == 0 ? 1.0F : 0.0F;
    const float share = 0.5F + (kind - 0.5F + 0.25F * (speckle(column, row) - 0.5F)) * sharp;
    const Shade plain = mixed(dark_tile, light_tile, share);
    const float joint = std::max(line_share(at.x, tile, 0.012, blur), line_share(at.y, tile, 0.012, blur));
    return mixed(plain, grout, joint * 0.8F);
}

Shade charger_color(const Pose& charger, Vec2 at, Shade floor) {
    const Vec2 gap = at - position(charger);
    const Vec2 ahead = towards(charger.heading);
    const double forward = dot(gap, ahead);
    const double aside = std::abs(cross(ahead, gap));
    if (std::abs(forward) > 0.2 || aside > 0.2) return floor;
    if (std::abs(forward) < 0.14 && aside > 0.05 && aside < 0.08) return contacts;
    return std::max(std::abs(forward), aside) > 0.185 ? shell : plate;
}

}  // namespace caribou::world
