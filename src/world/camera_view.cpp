#include "world/camera_view.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <vector>

#include "world/camera_paint.hpp"

namespace caribou::world {
namespace {

constexpr double nearest = 0.02;  ///< m; closer things are behind the lens
constexpr double far = 60;        ///< m

/// The ray of a column. `way` has length 1 along the direction in which the camera looks: distances along it
/// are depths.
struct Ray {
    Vec2 from;
    Vec2 way;
};

/// The part of a ray inside a thing.
struct Inside {
    double enters;
    double leaves;
};

std::optional<Inside> inside_circle(const Ray& ray, Vec2 at, double radius) {
    const Vec2 gap = at - ray.from;
    const double square = dot(ray.way, ray.way);
    const double middle = dot(gap, ray.way) / square;
    const double aside = cross(ray.way, gap);
    const double rest = radius * radius - aside * aside / square;
    if (rest < 0) return std::nullopt;
    const double half = std::sqrt(rest / square);
    if (middle - half < nearest) return std::nullopt;
    return Inside{middle - half, middle + half};
}

std::optional<Inside> inside_square(const Ray& ray, Vec2 at, double half) {
    Inside part{0, far};
    const Vec2 gap = at - ray.from;
    for (const auto& [offset, step] : {std::pair(gap.x, ray.way.x), std::pair(gap.y, ray.way.y)}) {
        if (std::abs(step) < 1e-9) {
            if (std::abs(offset) > half) return std::nullopt;
            continue;
        }
        const double one = (offset - half) / step;
        const double other = (offset + half) / step;
        part.enters = std::max(part.enters, std::min(one, other));
        part.leaves = std::min(part.leaves, std::max(one, other));
    }
    if (part.enters >= part.leaves || part.enters < nearest) return std::nullopt;
    return part;
}

/// What one ray meets.
struct Hit {
    double depth;
    const CameraScene::Face* face = nullptr;
    const CameraScene::Pillar* pillar = nullptr;
    const CameraScene::Cube* cube = nullptr;
    double along = 0;   ///< of a face
    double leaves = 0;  ///< of anything else: where the ray leaves it
};

/// What all pixels of a row of the background share.
struct FloorRow {
    double depth = std::numeric_limits<double>::infinity();  ///< infinite: sky
    double blur = 0;
    float haze = 0;
    Shade sky{};
};

class View {
public:
    View(const CameraScene& scene, const CameraLens& lens)
        : scene_(scene),
          lens_(lens),
          focal_(lens.focal()),
          horizon_(lens.horizon_row()),
          shades_(lens.width * lens.height),
          depths_(lens.width * lens.height, static_cast<float>(far)),
          floor_rows_(lens.height) {
        for (std::size_t row = 0; row < lens.height; ++row) {
            FloorRow& each = floor_rows_[row];
            const double below = static_cast<double>(row) + 0.5 - horizon_;
            each.sky = sky(static_cast<float>(std::max(0.0, -below / horizon_)));
            if (below <= 0) continue;
            each.depth = scene.height * focal_ / below;
            each.blur = each.depth / below;
            each.haze = haze_at(each.depth);
        }
    }

    Image render() {
        for (std::size_t column = 0; column < lens_.width; ++column) {
            const Ray ray = ray_of(static_cast<double>(column) + 0.5);
            const double last = find_hits(ray);
            paint_background(column, ray, last);
            for (const Hit& hit : hits_) paint(column, ray, hit);
        }
        for (const CameraScene::Cube& cube : scene_.cubes) add_glow(cube);
        Image image{lens_.width, lens_.height, std::vector<Pixel>(shades_.size())};
        for (std::size_t column = 0; column < lens_.width; ++column)
            for (std::size_t row = 0; row < lens_.height; ++row)
                image.at(column, row) = pixel_of(shades_[index(column, row)]);
        return image;
    }

private:
    Ray ray_of(double column) const {
        const Vec2 ahead = towards(scene_.camera.heading);
        const double right = (column - static_cast<double>(lens_.width) / 2) / focal_;
        return {position(scene_.camera), {ahead.x + ahead.y * right, ahead.y - ahead.x * right}};
    }
    double row_of(double up, double depth) const { return horizon_ - (up - scene_.height) * focal_ / depth; }
    /// The image is painted column by column.
    std::size_t index(std::size_t column, std::size_t row) const { return column * lens_.height + row; }

    /// Paints the sky, and the floor up to that depth: what is behind is hidden.
    void paint_background(std::size_t column, const Ray& ray, double last) {
        for (std::size_t row = 0; row < lens_.height; ++row) {
            const FloorRow& floor = floor_rows_[row];
            if (floor.depth > far) {
                shades_[index(column, row)] = floor.sky;
            } else if (floor.depth < last + 1) {
                shades_[index(column, row)] = floor_at(ray.from + ray.way * floor.depth, floor);
                depths_[index(column, row)] = static_cast<float>(floor.depth);
            }
        }
    }

    Shade floor_at(Vec2 at, const FloorRow& row) const {
        Shade shade = floor_color(at, row.blur);
        for (const Pose& charger : scene_.chargers) shade = charger_color(charger, at, shade);
        for (const Area& hole : scene_.holes)
            if (hole.contains(at)) shade = {0.03F, 0.03F, 0.05F};
        for (const CameraScene::Cube& cube : scene_.cubes) {
            // The light of a cube falls on the floor around it.
            const Vec2 gap = at - cube.at;
            const double square = dot(gap, gap);
            if (square < 0.36)
                shade = shade + shade_of(cube.light) * static_cast<float>(0.010 / (square + 0.012) - 0.027);
        }
        return hazy(shade, row.haze);
    }

    /// Lists what the ray meets, farthest first, without the faces behind a wall. Returns the depth of the
    /// nearest face.
    double find_hits(const Ray& ray) {
        hits_.clear();
        double first = far;
        double wall = far;
        for (const CameraScene::Face& face : scene_.faces) {
            const double slant = cross(ray.way, face.along);
            if (slant == 0) continue;
            const Vec2 gap = face.from - ray.from;
            const double depth = cross(gap, face.along) / slant;
            const double share = cross(gap, ray.way) / slant;
            // A face is extended a little, so that no ray passes through a corner.
            if (depth < nearest || depth > far || share < -1e-9 || share > 1 + 1e-9) continue;
            hits_.push_back({.depth = depth, .face = &face, .along = share * length(face.along)});
            first = std::min(first, depth);
            if (face.height >= CameraScene::wall_height) wall = std::min(wall, depth);
        }
        std::erase_if(hits_, [&](const Hit& hit) { return hit.depth > wall; });
        for (const CameraScene::Pillar& pillar : scene_.pillars)
            if (const auto part = inside_circle(ray, position(pillar.pose), pillar.radius))
                hits_.push_back({.depth = part->enters, .pillar = &pillar, .leaves = part->leaves});
        for (const CameraScene::Cube& cube : scene_.cubes)
            if (const auto part = inside_square(ray, cube.at, CameraScene::cube_side / 2))
                hits_.push_back({.depth = part->enters, .cube = &cube, .leaves = part->leaves});
        std::ranges::sort(hits_, std::ranges::greater(), &Hit::depth);
        return first;
    }

    void paint(std::size_t column, const Ray& ray, const Hit& hit) {
        if (hit.face)
            paint_face(column, ray, hit);
        else if (hit.pillar)
            paint_pillar(column, ray, hit);
        else
            paint_cube(column, ray, hit);
    }

    /// Blends the rows between two heights at a depth. `color` is called with the height above the floor.
    /// Rows that are covered in part are blended.
    template <class Color>
    void paint_side(std::size_t column, double depth, double low, double high, Color color) {
        const double top = row_of(high, depth);
        const double bottom = row_of(low, depth);
        const double per_row = depth / focal_;
        const float haze = haze_at(depth);
        const double last = std::min(bottom, static_cast<double>(lens_.height));
        for (auto row = static_cast<std::size_t>(std::max(0.0, std::floor(top)));
             static_cast<double>(row) < last; ++row) {
            const auto above = static_cast<double>(row);
            const double covered = std::min(above + 1, bottom) - std::max(above, top);
            const double up = std::clamp(scene_.height + (horizon_ - above - 0.5) * per_row, low, high);
            blend(index(column, row), hazy(color(up), haze), static_cast<float>(covered), depth);
        }
    }

    /// The same for the level top of a thing that is lower than the camera, between two depths.
    template <class Color>
    void paint_top(std::size_t column, double up, double front, double back, Color color) {
        if (up >= scene_.height) return;
        const float haze = haze_at(front);
        const double top = row_of(up, back);
        const double bottom = std::min(row_of(up, front), static_cast<double>(lens_.height));
        for (auto row = static_cast<std::size_t>(std::max(0.0, std::floor(top)));
             static_cast<double>(row) < bottom; ++row) {
            const auto above = static_cast<double>(row);
            const double covered = std::min(above + 1, bottom) - std::max(above, top);
            const double below = std::max(above + 0.5 - horizon_, 0.01);
            const double depth = std::clamp((scene_.height - up) * focal_ / below, front, back);
            blend(index(column, row), hazy(color(depth), haze), static_cast<float>(covered), depth);
        }
    }

    void blend(std::size_t at, Shade color, float share, double depth) {
        if (share <= 0) return;
        shades_[at] = mixed(shades_[at], color, share);
        if (share >= 0.5F) depths_[at] = static_cast<float>(depth);
    }

    void paint_face(std::size_t column, const Ray& ray, const Hit& hit) {
        const Vec2 side = hit.face->along * (1 / length(hit.face->along));
        Vec2 normal{side.y, -side.x};
        if (dot(normal, ray.way) > 0) normal = normal * -1;
        const float light = lit(normal);
        // A pixel is wider on a surface that is seen at a slant.
        const double slant = std::max(0.1, std::abs(dot(normal, ray.way)));
        const double blur = hit.depth / focal_ / slant;
        paint_side(column, hit.depth, 0, hit.face->height, [&](double up) {
            // Corners and the foot of a wall are darker.
            const auto shadow = static_cast<float>(0.82 + 0.18 * std::min(1.0, up / 0.25));
            return face_color(*hit.face, hit.along, up, blur) * (light * shadow);
        });
    }

    void paint_pillar(std::size_t column, const Ray& ray, const Hit& hit) {
        const CameraScene::Pillar& pillar = *hit.pillar;
        const Vec2 point = ray.from + ray.way * hit.depth;
        const Vec2 normal = (point - position(pillar.pose)) * (1 / pillar.radius);
        const double turn = wrapped_angle(std::atan2(normal.y, normal.x) - pillar.pose.heading);
        // Round things are darker where they turn away from the camera.
        const double facing = std::clamp(-dot(normal, ray.way) / length(ray.way), 0.0, 1.0);
        const auto light = static_cast<float>(0.55 + 0.45 * facing) * (0.5F + 0.5F * lit(normal));
        const double aside = std::sqrt(1 - facing * facing);  // from its middle, as a share of its radius
        if (pillar.shape == CameraScene::Shape::person) return paint_person(column, hit, aside, light);
        const auto color = [&](double up) { return pillar_color(pillar, turn, up) * light; };
        if (pillar.shape == CameraScene::Shape::ball)
            return paint_side(column, (hit.depth + hit.leaves) / 2, pillar.radius * (1 - facing),
                              pillar.radius * (1 + facing), color);
        paint_side(column, hit.depth, 0, pillar.height, color);
        if (pillar.shape == CameraScene::Shape::robot) paint_deck(column, ray, hit);
    }

    /// The top of a robot: a shell with a colored ring, and an arrow of light to the front.
    void paint_deck(std::size_t column, const Ray& ray, const Hit& hit) {
        const CameraScene::Pillar& robot = *hit.pillar;
        const Vec2 ahead = towards(robot.pose.heading);
        paint_top(column, robot.height, hit.depth, hit.leaves, [&](double depth) {
            const Vec2 gap = ray.from + ray.way * depth - position(robot.pose);
            const double from_middle = length(gap) / robot.radius;
            const bool is_nose = dot(gap, ahead) > 0.3 * robot.radius && std::abs(cross(ahead, gap)) < 0.02;
            const double up = from_middle > 0.62 && from_middle < 0.8 ? 0.35 : 0.95;
            return is_nose ? Shade{0.35F, 0.95F, 1.0F}
                           : pillar_color(robot, std::numbers::pi, up * robot.height);
        });
    }

    /// Two legs, a body and a head.
    void paint_person(std::size_t column, const Hit& hit, double aside, float light) {
        const auto part = [&](double low, double high) {
            paint_side(column, hit.depth, low, high,
                       [&](double up) { return pillar_color(*hit.pillar, 0, up) * light; });
        };
        if (aside > 0.12 && aside < 0.75) part(0, 0.85);
        part(0.80, 1.42);
        if (aside < 0.55) part(1.46, CameraScene::person_height - 0.3 * aside * aside);
    }

    void paint_cube(std::size_t column, const Ray& ray, const Hit& hit) {
        constexpr double side = CameraScene::cube_side;
        const Shade light = shade_of(hit.cube->light);
        const auto color = [&](double along, double up, float shine) {
            // The lights are at the edges and corners; the faces glow a little.
            const double edge = std::min({along, side - along, up, side - up}) / side;
            const Shade body = mixed({0.26F, 0.27F, 0.30F}, {0.10F, 0.10F, 0.12F}, edge > 0.16 ? 1.0F : 0.0F);
            return body * shine + light * (edge > 0.16 ? 0.55F : 1.1F);
        };
        const Vec2 point = ray.from + ray.way * hit.depth - hit.cube->at;
        const bool is_on_x = std::abs(point.x) > std::abs(point.y);
        const double along = (is_on_x ? point.y : point.x) + side / 2;
        paint_side(column, hit.depth, 0, side,
                   [&](double up) { return color(along, up, is_on_x ? 0.9F : 1.1F); });
        paint_top(column, side, hit.depth, hit.leaves, [&](double depth) {
            const Vec2 on_top = ray.from + ray.way * depth - hit.cube->at;
            return color(on_top.x + side / 2, on_top.y + side / 2, 1.4F);
        });
    }

    /// Adds the halo around a cube that is lit, except in front of things that hide it.
    void add_glow(const CameraScene::Cube& cube) {
        const Shade light = shade_of(cube.light);
        if (light.red + light.green + light.blue < 0.05F) return;
        const Vec2 gap = cube.at - position(scene_.camera);
        const Vec2 ahead = towards(scene_.camera.heading);
        const double depth = dot(gap, ahead);
        if (depth < 0.05 || depth > far) return;
        const double column = static_cast<double>(lens_.width) / 2 - cross(ahead, gap) * focal_ / depth;
        const double row = row_of(CameraScene::cube_side / 2, depth);
        const double reach = 4.5 * CameraScene::cube_side * focal_ / depth;
        const auto first = [](double at) { return static_cast<std::size_t>(std::max(0.0, at)); };
        for (std::size_t y = first(row - reach); y < lens_.height && static_cast<double>(y) < row + reach;
             ++y)
            for (std::size_t x = first(column - reach);
                 x < lens_.width && static_cast<double>(x) < column + reach; ++x) {
                const double away =
                    std::hypot(static_cast<double>(x) + 0.5 - column, static_cast<double>(y) + 0.5 - row) /
                    reach;
                if (away >= 1 || depths_[index(x, y)] < depth - 0.12) continue;
                const auto share = static_cast<float>((1 - away) * (1 - away) * 0.45);
                shades_[index(x, y)] = shades_[index(x, y)] + light * share;
            }
    }

    const CameraScene& scene_;
    const CameraLens& lens_;
    double focal_;
    double horizon_;
    std::vector<Shade> shades_;
    std::vector<float> depths_;
    std::vector<FloorRow> floor_rows_;
    std::vector<Hit> hits_;
};

}  // namespace

double CameraLens::focal() const { return static_cast<double>(width) / 2 / std::tan(field_of_view / 2); }

Image camera_view(const CameraScene& scene, const CameraLens& lens) { return View(scene, lens).render(); }

}  // namespace caribou::world
