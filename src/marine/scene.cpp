#include "marine/scene.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include <fmt/format.h>

#include "base/number_text.hpp"
#include "bus/wildcard.hpp"
#include "marine/color.hpp"
#include "marine/drawing.hpp"
#include "marine/fields.hpp"
#include "marine/node_report.hpp"
#include "marine/shape.hpp"

namespace caribou::marine {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
constexpr std::string_view cells_variable = "VIEW_GRID_DELTA";
constexpr std::string_view other_variables[] = {cells_variable, "TRAIL_RESET", "PMV_CLEAR", "PMV_CENTER"};

bool is_over(const data::MarineShape& shape, double now) {
    return now > shape.begins + shape.duration + shape.linger;  // never, if the duration is NaN
}

/// Returns what a trail needs of a report.
data::MarineVehicle place_of(const data::MarineVehicle& report) {
    return {.name = report.name,
            .community = report.community,
            .time = report.time,
            .x = report.x,
            .y = report.y};
}

}  // namespace

Scene::Scene(std::optional<Geodesy> geodesy, std::vector<std::string> report_variables,
             std::size_t trail_length)
    : geodesy_(geodesy),
      reports_(std::move(report_variables)),
      trail_length_(std::max<std::size_t>(trail_length, 1)) {}

bool Scene::reads(std::string_view variable) const {
    return shape_kind(variable) || std::ranges::find(reports_, variable) != reports_.end() ||
           std::ranges::find(other_variables, variable) != std::end(other_variables);
}

Result<data::MarineEvent> Scene::apply(const SceneValue& value) {
    if (value.text.size() > longest_value)
        return fail(Code::limit_exceeded, fmt::format("longer than {} bytes", longest_value));
    if (shape_kind(value.variable)) return apply_shape(value);
    if (value.variable == cells_variable) return apply_cells(value);
    if (value.variable == "PMV_CLEAR") return apply_clear(value);
    if (value.variable == "PMV_CENTER") return apply_center(value);
    if (value.variable == "TRAIL_RESET") {
        for (auto& [name, trail] : vehicles_)
            if (trail.size() > 1) trail.erase(trail.begin(), trail.end() - 1);
        return data::MarineEvent{.at = value.now, .clears_trails = true};
    }
    return apply_report(value);
}

Result<data::MarineEvent> Scene::apply_shape(const SceneValue& value) {
    const ShapeKind kind = *shape_kind(value.variable);
    const auto shape = parse_shape(kind, value.text);
    if (!shape) return fail(shape.error());
    const bool is_single = kind == ShapeKind::seglist || kind == ShapeKind::textbox;
    std::string name = shape->label;
    if (name.empty() && !is_single) name = fmt::format("#{}", unlabeled_++);
    std::string key = fmt::format("{}/{}/{}", value.community, to_string(kind), name);
    data::MarineEvent event{.at = value.now};
    if (!shape->active) {
        if (const auto found = shapes_.find(key); found != shapes_.end()) erase_shape(found);
        event.erased.push_back(std::move(key));
        return event;
    }
    event.shape = drawing_of(*shape, value.now);
    event.shape->key = std::move(key);
    event.shape->community = value.community;
    event.shape->source = value.source;
    keep_shape({order_++, event, shape->grid}, event.erased);
    return event;
}

void Scene::keep_shape(KeptShape shape, std::vector<std::string>& erased) {
    const std::string key = shape.event.shape->key;
    if (const auto found = shapes_.find(key); found != shapes_.end()) erase_shape(found);
    shape_memory_ += memory_of(shape.event);
    shapes_.emplace(key, std::move(shape));
    while (shapes_.size() > most_shapes || shape_memory_ > most_memory) {
        const auto oldest =
            std::ranges::min_element(shapes_, {}, [](const auto& entry) { return entry.second.order; });
        erased.push_back(oldest->first);
        erase_shape(oldest);
    }
}

void Scene::erase_shape(Shapes::iterator shape) {
    shape_memory_ -= memory_of(shape->second.event);
    shapes_.erase(shape);
}

/// `label@changes`.
Result<data::MarineEvent> Scene::apply_cells(const SceneValue& value) {
    const std::size_t at = value.text.find('@');
    if (at == std::string_view::npos) return fail(Code::malformed, "expected label@cell,VAR,value…");
    const std::string_view label = trimmed(value.text.substr(0, at));
    const std::string key = fmt::format("{}/{}/{}", value.community, to_string(ShapeKind::grid), label);
    const auto found = shapes_.find(key);
    if (found == shapes_.end() || !found->second.grid)
        return fail(Code::not_found, fmt::format("there is no grid `{}` of {}", label, value.community));
    CellGrid& grid = *found->second.grid;
    const auto changed = grid.apply(value.text.substr(at + 1));
    if (!changed) return fail(changed.error());
    data::MarineGrid& drawn = *found->second.event.shape->grid;
    std::tie(drawn.least, drawn.most) = grid.range();
    drawn.values = grid.values();
    data::MarineEvent event{.at = value.now};
    event.cells = data::MarineCells{.key = key, .least = drawn.least, .most = drawn.most};
    for (const std::size_t cell : *changed) {
        event.cells->cells.push_back(static_cast<std::uint32_t>(cell));
        event.cells->values.push_back(drawn.values[cell]);
    }
    return event;
}

Result<data::MarineEvent> Scene::apply_report(const SceneValue& value) {
    auto parsed = parse_node_report(value.text);
    if (!parsed) return fail(std::move(parsed.error()));
    complete_position(*parsed, geodesy_ ? &*geodesy_ : nullptr);
    const NodeReport& report = *parsed;
    if (!report.x || !report.y)
        return fail(Code::malformed,
                    "a report with lat/lon needs LatOrigin and LongOrigin in the mission file");
    if (!(std::abs(*report.x) <= most_meters && std::abs(*report.y) <= most_meters))
        return fail(Code::malformed, "the position is out of range");
    if (!vehicles_.contains(report.name) && vehicles_.size() >= most_vehicles)
        return fail(Code::limit_exceeded, fmt::format("more than {} vehicles", most_vehicles));
    const auto color = parse_color(report.color);
    data::MarineEvent event{.at = value.now};
    event.vehicle = data::MarineVehicle{
        .name = report.name,
        .community = std::string(value.community),
        .time = *report.time,
        .x = *report.x,
        .y = *report.y,
        .latitude = report.latitude.value_or(unknown),
        .longitude = report.longitude.value_or(unknown),
        .heading = report.heading.value_or(unknown),
        .speed = report.speed.value_or(unknown),
        .depth = report.depth.value_or(unknown),
        .altitude = report.altitude.value_or(unknown),
        .length = report.length.value_or(0) > 0 ? *report.length : usual_length(report.type),
        .type = lower(report.type),
        .color = color ? css_text(*color) : "",
        .group = report.group,
        .mode = report.mode,
        .allstop = report.allstop};
    auto& trail = vehicles_[report.name];
    if (!trail.empty()) trail.back().vehicle = place_of(*trail.back().vehicle);
    trail.push_back(event);
    if (trail.size() > trail_length_) trail.pop_front();
    return event;
}

/// `vname=community,shape=polygons,stype=glob`, each optional.
Result<data::MarineEvent> Scene::apply_clear(const SceneValue& value) {
    std::string community = "*";
    std::string kind;
    std::string type = "*";
    for (const TextField& field : fields_in(value.text)) {
        if (field.name == "vname")
            community = field.value;
        else if (field.name == "shape")
            kind = lower(field.value);
        else if (field.name == "stype")
            type = field.value;
        else if (!(field.name.empty() && (lower(field.value) == "all" || field.value.empty())))
            return fail(Code::malformed, fmt::format("PMV_CLEAR has no `{}`", field.name));
    }
    if (kind.ends_with('s')) kind.pop_back();
    data::MarineEvent event{.at = value.now};
    for (const auto& [key, kept] : shapes_) {
        const data::MarineShape& shape = *kept.event.shape;
        const bool survives = shape.kind == "grid" || shape.kind == "wedge" || shape.kind == "comms_pulse";
        if (!survives && (kind.empty() || shape.kind == kind) &&
            bus::glob_matches(community, shape.community) && bus::glob_matches(type, shape.marker))
            event.erased.push_back(key);
    }
    for (const std::string& key : event.erased) erase_shape(shapes_.find(key));
    return event;
}

Result<data::MarineEvent> Scene::apply_center(const SceneValue& value) const {
    data::MarineEvent event{.at = value.now};
    event.center.emplace();
    for (const TextField& field : fields_in(value.text)) {
        if (field.name == "vname") event.center->vehicle = field.value;
        if (field.name == "x") event.center->x = number_in(field.value).value_or(0);
        if (field.name == "y") event.center->y = number_in(field.value).value_or(0);
        if (field.name == "zoom") event.center->zoom = number_in(field.value).value_or(1);
    }
    return event;
}

const data::MarineVehicle* Scene::vehicle(std::string_view name) const {
    const auto found = vehicles_.find(name);
    return found == vehicles_.end() ? nullptr : &*found->second.back().vehicle;
}

const data::MarineVehicle* Scene::nearest_vehicle(Vec2 point) const {
    const data::MarineVehicle* nearest = nullptr;
    for (const auto& [name, trail] : vehicles_) {
        const data::MarineVehicle& one = *trail.back().vehicle;
        if (!nearest || distance({one.x, one.y}, point) < distance({nearest->x, nearest->y}, point))
            nearest = &one;
    }
    return nearest;
}

void Scene::expire(double now) {
    for (auto shape = shapes_.begin(); shape != shapes_.end();)
        if (const auto one = shape++; is_over(*one->second.event.shape, now)) erase_shape(one);
}

std::size_t memory_of(const data::MarineEvent& event) {
    std::size_t bytes = sizeof(event);
    const auto add = [&](const auto&... parts) { ((bytes += parts.size() * sizeof(parts[0])), ...); };
    for (const std::string& key : event.erased) bytes += sizeof(key) + key.size();
    if (event.cells) add(event.cells->key, event.cells->cells, event.cells->values);
    if (const auto& one = event.vehicle)
        add(one->name, one->community, one->type, one->group, one->mode, one->allstop);
    if (const auto& shape = event.shape) {
        add(shape->key, shape->label, shape->text, shape->source, shape->points, shape->marker);
        for (const std::string& line : shape->lines) bytes += sizeof(line) + line.size();
        if (shape->grid) add(shape->grid->name, shape->grid->cells, shape->grid->values);
    }
    return bytes;
}

std::vector<data::MarineEvent> Scene::everything() const {
    std::vector<const KeptShape*> shapes;
    for (const auto& [key, shape] : shapes_) shapes.push_back(&shape);
    std::ranges::sort(shapes, {}, &KeptShape::order);
    std::vector<data::MarineEvent> all;
    for (const KeptShape* shape : shapes) all.push_back(shape->event);
    for (const auto& [name, trail] : vehicles_) all.insert(all.end(), trail.begin(), trail.end());
    return all;
}

}  // namespace caribou::marine
