#include "world/world_reader.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "world/plan_reader.hpp"
#include "world/robot_model.hpp"

namespace caribou::world {
namespace {

constexpr std::size_t max_faults = 20;
constexpr double longest_side = 200;

class WorldReader {
public:
    explicit WorldReader(const NamedText& file) : reader_(file, max_faults) {}

    std::expected<WorldPlan, std::vector<TextFault>> read() {
        if (const JsonNode* root = reader_.root()) {
            read_plan(*root);
            if (!reader_.has_faults()) check_places(*root);
        }
        if (reader_.has_faults()) return std::unexpected(reader_.take_faults());
        return std::move(plan_);
    }

private:
    void read_plan(const JsonNode& root) {
        reader_.is_table(root, "a world",
                         {"name", "seed", "size", "noise", "charger", "battery", "wall", "box", "obstacle",
                          "cliff", "unknown", "cube", "start", "fault"});
        plan_.name = reader_.text(root, "name").value_or("");
        plan_.seed = static_cast<std::uint64_t>(reader_.number(root, "seed", 0, 9e15).value_or(1));
        if (const auto size = reader_.required(root, "size", reader_.point(root, "size"))) {
            if (size->x < 1 || size->y < 1 || size->x > longest_side || size->y > longest_side)
                reader_.fault(*root.find("size"),
                              fmt::format("a side of the floor has between 1 and {} metres", longest_side));
            else
                plan_.size = *size;
        }
        read_things(root);
        if (const JsonNode* noise = root.find("noise")) read_noise(*noise);
        if (const JsonNode* charger = root.find("charger");
            charger && reader_.is_table(*charger, "the charger", {"at", "heading"}))
            if (const auto pose = reader_.pose(*charger)) plan_.charger = Charger{*pose};
        if (const JsonNode* battery = root.find("battery")) read_battery(*battery);
        for (const JsonNode* table : reader_.tables(root, "fault"))
            if (auto fault = reader_.read_fault(*table)) plan_.faults.push_back(std::move(*fault));
    }

    void read_things(const JsonNode& root) {
        for (const JsonNode* table : reader_.tables(root, "wall")) {
            if (!reader_.is_table(*table, "a wall", {"from", "to"})) continue;
            const auto from = reader_.required(*table, "from", reader_.point(*table, "from"));
            const auto to = reader_.required(*table, "to", reader_.point(*table, "to"));
            if (from && to) plan_.walls.push_back({*from, *to});
        }
        for (const auto& [name, areas] :
             {std::pair{"box", &plan_.boxes}, {"cliff", &plan_.cliffs}, {"unknown", &plan_.unknown}})
            for (const JsonNode* table : reader_.tables(root, name))
                if (reader_.is_table(*table, fmt::format("`{}`", name), {"from", "to"}))
                    if (const auto area = reader_.area(*table)) areas->push_back(*area);
        for (const JsonNode* table : reader_.tables(root, "obstacle"))
            if (auto obstacle = read_obstacle(*table)) plan_.obstacles.push_back(std::move(*obstacle));
        for (const JsonNode* table : reader_.tables(root, "cube")) {
            if (!reader_.is_table(*table, "a cube", {"name", "at"})) continue;
            const auto name = reader_.text(*table, "name");
            const auto at = reader_.required(*table, "at", reader_.point(*table, "at"));
            if (at)
                plan_.cubes.push_back({name.value_or(fmt::format("cube {}", plan_.cubes.size() + 1)), *at});
        }
        for (const JsonNode* table : reader_.tables(root, "start"))
            if (reader_.is_table(*table, "a start", {"at", "heading"}))
                if (const auto pose = reader_.pose(*table)) plan_.starts.push_back(*pose);
    }

    std::optional<Obstacle> read_obstacle(const JsonNode& table) {
        if (!reader_.is_table(table, "an obstacle", {"at", "radius", "movable", "walk", "speed", "pause"}))
            return std::nullopt;
        Obstacle read;
        const auto at = reader_.required(table, "at", reader_.point(table, "at"));
        read.radius = reader_.number(table, "radius", 0.01, 10).value_or(read.radius);
        read.movable = reader_.truth(table, "movable").value_or(false);
        read.walk = reader_.points(table, "walk");
        read.speed = reader_.number(table, "speed", 0.01, 2).value_or(read.speed);
        read.pause = reader_.number(table, "pause", 0, 3600).value_or(read.pause);
        if (read.movable && !read.walk.empty())
            reader_.fault(table, "an obstacle is either `movable` or has a `walk`");
        for (const char* const key : {"speed", "pause"})
            if (const JsonNode* node = table.find(key); node && !table.find("walk"))
                reader_.fault(*node, fmt::format("`{}` belongs to a `walk`", key));
        if (!at) return std::nullopt;
        read.at = *at;
        return read;
    }

    void read_battery(const JsonNode& table) {
        if (!reader_.is_table(table, "the battery", {"minutes", "level"})) return;
        BatteryPlan battery;
        battery.minutes = reader_.number(table, "minutes", 1, 1440).value_or(battery.minutes);
        battery.level = reader_.number(table, "level", 0, 1).value_or(battery.level);
        plan_.battery = battery;
    }

    /// Returns whether an obstacle meets nothing fixed on its walk.
    bool can_walk(const Obstacle& obstacle) const {
        constexpr double step = 0.05;
        WorldPlan fixed = plan_;
        std::erase_if(fixed.obstacles, [&](const Obstacle& other) {
            return other == obstacle || other.movable || !other.walk.empty();
        });
        Vec2 from = obstacle.at;
        for (const Vec2 to : obstacle.walk) {
            const double far = distance(from, to);
            for (double way = 0; way <= far; way += step)
                if (!is_free(fixed, far > 0 ? from + (to - from) * (way / far) : to, obstacle.radius))
                    return false;
            from = to;
        }
        return is_free(fixed, from, obstacle.radius);
    }

    void read_noise(const JsonNode& table) {
        Noise& noise = plan_.noise;
        if (!reader_.is_table(table, "`noise`", {"range", "lidar", "yaw_rate", "acceleration", "slip"}))
            return;
        for (const auto& [key, into, most] : {std::tuple{"range", &noise.range, 1.0},
                                              {"lidar", &noise.lidar, 1.0},
                                              {"yaw_rate", &noise.yaw_rate, 1.0},
                                              {"acceleration", &noise.acceleration, 10.0},
                                              {"slip", &noise.slip, 0.3}})
            if (const auto value = reader_.number(table, key, 0, most)) *into = *value;
    }

    /// Checks positions: obstacles must be on the floor; starts, the charger and cubes must be free.
    void check_places(const JsonNode& root) {
        const double radius = RobotModel{}.radius;
        const auto starts = reader_.tables(root, "start");
        for (std::size_t i = 0; i < starts.size(); ++i) {
            if (!is_free(plan_, position(plan_.starts[i]), radius))
                reader_.fault(
                    *starts[i],
                    fmt::format("no robot of {} m fits here: the place is occupied, or the floor ends",
                                2 * radius));
            for (std::size_t other = 0; other < i; ++other)
                if (distance(position(plan_.starts[i]), position(plan_.starts[other])) < 2 * radius)
                    reader_.fault(*starts[i], "another robot starts here already");
        }
        if (plan_.charger && !is_free(plan_, position(plan_.charger->pose), radius))
            reader_.fault(*root.find("charger"), "no robot can reach this charger: the place is occupied");
        const auto cubes = reader_.tables(root, "cube");
        for (std::size_t i = 0; i < cubes.size(); ++i)
            if (!is_free(plan_, plan_.cubes[i].at, CubePlace::radius))
                reader_.fault(*cubes[i],
                              "the cube does not fit here: the place is occupied, or the floor ends");
        const auto obstacles = reader_.tables(root, "obstacle");
        for (std::size_t i = 0; i < obstacles.size(); ++i) {
            const Obstacle& obstacle = plan_.obstacles[i];
            if (!Area{{0, 0}, plan_.size}.contains(obstacle.at))
                reader_.fault(*obstacles[i], "the obstacle is not on the floor");
            else if (!obstacle.walk.empty() && !can_walk(obstacle))
                reader_.fault(*obstacles[i], "the walk leads through something, or off the floor");
        }
    }

    PlanReader reader_;
    WorldPlan plan_;
};

}  // namespace

std::expected<WorldPlan, std::vector<TextFault>> read_world(const NamedText& file) {
    return WorldReader(file).read();
}

std::expected<std::vector<Fault>, std::vector<TextFault>> read_faults(const NamedText& file) {
    PlanReader reader(file, max_faults);
    std::vector<Fault> faults;
    if (const JsonNode* root = reader.root()) {
        reader.is_table(*root, "a script of faults", {"fault"});
        for (const JsonNode* table : reader.tables(*root, "fault"))
            if (auto fault = reader.read_fault(*table)) faults.push_back(std::move(*fault));
    }
    if (reader.has_faults()) return std::unexpected(reader.take_faults());
    return faults;
}

}  // namespace caribou::world
