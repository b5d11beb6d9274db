#include "station/route.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "base/json_text.hpp"
#include "base/number_text.hpp"
#include "base/suggestion.hpp"
#include "base/text_fault.hpp"
#include "base/toml.hpp"

namespace caribou::station {
namespace {

using Kind = JsonNode::Kind;

bool is_near_enough(double meters) { return std::isfinite(meters) && std::abs(meters) <= RouteLimits::far; }

class RouteReader {
public:
    explicit RouteReader(const NamedText& file) : faults_({&file, 1}, 100) {}

    Result<Route> read(std::string_view text) {
        const auto root = read_toml(text, {.bytes = 256_KiB, .depth = 8, .values = 10'000});
        if (!root) {
            fault(root.error().offset, root.error().message);
        } else if (const JsonNode* const version = root->find("version");
                   !version || read_version(*version)) {
            for (const JsonNode& node : root->items) read_key(node);
            if (faults_.empty() && route_.points.empty()) fault(0, "a route needs `points = [[x, y], ...]`");
        }
        if (faults_.empty()) return std::move(route_);
        std::string all = to_string(faults_.take());
        all.pop_back();  // end of the last line
        return fail(Code::invalid_argument, std::move(all));
    }

private:
    void fault(std::size_t offset, std::string message) {
        faults_.add({.file = 0, .offset = offset}, std::move(message));
    }
    void read_key(const JsonNode& node) {
        if (node.key == "name") return read_name(node);
        if (node.key == "version") return;
        if (node.key == "points") return read_points(node);
        if (node.key == "rounds") return read_whole(node, 0, RouteLimits::rounds, route_.rounds);
        if (node.key == "level") return read_whole(node, 1, RouteLimits::level, route_.level);
        if (node.key == "near") {
            constexpr double least = 0.05;
            if (!node.is(Kind::number) || !(node.number >= least) || node.number > 5)
                return fault(node.offset, "near should be a number from 0.05 to 5 (m)");
            route_.near = node.number;
            return;
        }
        const std::vector<std::string> known{"version", "name", "points", "rounds", "level", "near"};
        fault(node.key_offset, fmt::format("there is no key `{}`{}", node.key, instead_of(node.key, known)));
    }
    /// Returns whether the rest can be read. Otherwise the version is the only fault that is reported.
    bool read_version(const JsonNode& node) {
        if (node.is(Kind::number) && node.number == route_version) return true;
        if (node.is(Kind::number) && node.number > route_version)
            fault(node.offset,
                  fmt::format("version {} of routes is newer than this program, which reads version {}",
                              number_text(node.number), route_version));
        else
            fault(node.offset, fmt::format("version should be {}", route_version));
        return false;
    }
    void read_name(const JsonNode& node) {
        if (!node.is(Kind::text) || node.text.empty() || node.text.size() > RouteLimits::name)
            return fault(node.offset,
                         fmt::format("name should be a text of 1 to {} bytes", RouteLimits::name));
        route_.name = node.text;
    }
    void read_whole(const JsonNode& node, int low, int high, int& into) {
        if (!node.is(Kind::number) || !(node.number >= low) || node.number > high ||
            std::trunc(node.number) != node.number)
            return fault(node.offset,
                         fmt::format("{} should be a whole number from {} to {}", node.key, low, high));
        into = static_cast<int>(node.number);
    }
    void read_points(const JsonNode& node) {
        if (!node.is(Kind::list) || node.items.empty() || node.items.size() > RouteLimits::points)
            return fault(node.offset,
                         fmt::format("points should be a list of 1 to {} points", RouteLimits::points));
        for (const JsonNode& point : node.items) {
            const bool good = point.is(Kind::list) && point.items.size() == 2 &&
                              std::ranges::all_of(point.items, [](const JsonNode& n) {
                                  return n.is(Kind::number) && is_near_enough(n.number);
                              });
            if (!good) {
                fault(point.offset,
                      fmt::format("a point should be [x, y] in meters, each at most {} from the origin",
                                  RouteLimits::far));
                continue;
            }
            route_.points.push_back({point.items[0].number, point.items[1].number});
        }
    }

    FaultList faults_;
    Route route_{};
};

}  // namespace

Result<Route> read_route(std::string_view text, std::string path) {
    const NamedText file{std::move(path), std::string(text)};
    return RouteReader(file).read(file.text);
}

Result<Vec2> read_point(std::string_view text) {
    const std::size_t comma = text.find(',');
    const auto x = number_in(text.substr(0, comma));
    const auto y = comma == std::string_view::npos ? std::nullopt : number_in(text.substr(comma + 1));
    if (!x || !y)
        return fail(Code::invalid_argument,
                    fmt::format("`{}` is not a point: write X,Y in meters, such as 1.5,2", text));
    if (!is_near_enough(*x) || !is_near_enough(*y))
        return fail(Code::invalid_argument,
                    fmt::format("`{}` is too far away: each coordinate is at most {} m from the origin", text,
                                RouteLimits::far));
    return Vec2{*x, *y};
}

std::string to_string(const Route& route) {
    std::string points;
    for (const Vec2& point : route.points)
        points +=
            fmt::format("{}[{}, {}]", points.empty() ? "" : ", ", number_text(point.x), number_text(point.y));
    return fmt::format("name = {}\npoints = [{}]\nrounds = {}\nlevel = {}\nnear = {}\n",
                       json_quoted(route.name), points, route.rounds, route.level, number_text(route.near));
}

}  // namespace caribou::station
