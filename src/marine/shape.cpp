#include "marine/shape.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "base/number_text.hpp"
#include "marine/color.hpp"
#include "marine/fields.hpp"
#include "marine/shape_form.hpp"
#include "marine/shape_table.hpp"

namespace caribou::marine {
namespace {

constexpr std::size_t most_shape_vertices = 10'000;

struct StyleText {
    std::string_view name;
    std::string ShapeStyle::* place;
};
constexpr StyleText style_colors[] = {{"label_color", &ShapeStyle::label_color},
                                      {"edge_color", &ShapeStyle::edge_color},
                                      {"vertex_color", &ShapeStyle::vertex_color},
                                      {"fill_color", &ShapeStyle::fill_color}};
struct StyleNumber {
    std::string_view name;
    std::optional<double> ShapeStyle::* place;
};
constexpr StyleNumber style_numbers[] = {{"vertex_size", &ShapeStyle::vertex_size},
                                         {"edge_size", &ShapeStyle::edge_size},
                                         {"fill_transparency", &ShapeStyle::fill_transparency},
                                         {"trans", &ShapeStyle::fill_transparency}};
struct ShapeText {
    std::string_view name;
    std::string Shape::* place;
};
constexpr ShapeText shape_texts[] = {{"label", &Shape::label},     {"source", &Shape::source},
                                     {"vsource", &Shape::vsource}, {"id", &Shape::id},
                                     {"type", &Shape::type},       {"owner", &Shape::owner}};

/// A color that cannot be read is black, as in MOOS-IvP.
std::string color_word(std::string_view text) {
    return is_invisible(text) || parse_color(text) ? std::string(text) : "0:0:0";
}

class ShapeParser {
public:
    explicit ShapeParser(ShapeKind kind) : traits_(traits_of(kind)) {
        shape_.kind = kind;
        if (kind == ShapeKind::range_pulse)
            shape_.style = {.edge_color = "green", .fill_color = "green", .edge_size = 1};
        if (kind == ShapeKind::comms_pulse) shape_.style = {.fill_color = "green", .edge_size = 0};
        if (kind == ShapeKind::arrow)
            shape_.style = {.edge_color = "invisible",
                            .vertex_color = "invisible",
                            .fill_color = "yellow",
                            .fill_transparency = 0.5};
        if (kind == ShapeKind::marker) shape_.type = "circle";
    }

    Result<Shape> parse(std::string_view given) {
        const std::string lowered = shape_.kind == ShapeKind::vector ? lower(given) : std::string();
        const std::string_view text = lowered.empty() ? given : std::string_view(lowered);
        const FormVertices form = shape_.kind == ShapeKind::polygon   ? polygon_form(text, shape_.label)
                                  : shape_.kind == ShapeKind::seglist ? seglist_form(text)
                                                                      : FormVertices{};
        is_form_ = form.is_form;
        shape_.points = form.points;
        if (is_short(text)) {
            take_short(text);
        } else {
            std::string_view rest = text;
            // `radial:: x=…`: the first field follows the name of the form.
            if (form.is_form && !text.starts_with("format"))
                rest.remove_prefix(std::min(text.find_first_not_of(':', text.find(':')), text.size()));
            if (form.is_form && text.starts_with("radial:") && !text.contains('=')) rest = {};
            for (const TextField& field : fields_in(rest)) take(field);
        }
        finish();
        if (!fault_.empty()) return fail(Code::malformed, fault_);
        return std::move(shape_);
    }

private:
    bool is_short(std::string_view text) const {
        return !is_form_ && !text.contains('=') && (traits_.has_vertices || shape_.kind == ShapeKind::point);
    }

    /// `3,4:label,foo:msg,hi` or `0,0:10,20`; a point also `3:4`.
    void take_short(std::string_view text) {
        auto parts = split_outside(text, ':');
        std::string vertices;
        for (const std::string_view part : parts) {
            const std::size_t comma = part.find(',');
            const std::string word = lower(trimmed(part.substr(0, comma)));
            if (comma != std::string_view::npos && !number_in(word))
                take({word, trimmed(part.substr(comma + 1))});
            else
                vertices += (vertices.empty() ? "" : ":") + std::string(part);
        }
        if (shape_.kind == ShapeKind::point) std::ranges::replace(vertices, ':', ',');
        if (auto points = parse_vertices(vertices))
            shape_.points = std::move(*points);
        else
            fault_ = "malformed vertices";
        if (shape_.kind != ShapeKind::point || shape_.points.size() != 1) return;
        given_.emplace_back("x", shape_.points[0].x);
        given_.emplace_back("y", shape_.points[0].y);
    }

    void take(const TextField& field) {
        if (take_style(field) || take_number(field)) return;
        if (field.name == "pts" && traits_.has_vertices && !is_form_) {
            const auto inside = enclosed(field.value, '{', '}');
            auto points = inside ? parse_vertices(*inside) : std::nullopt;
            if (!points) fault_ = "expected pts={x,y:x,y…}";
            shape_.points = points.value_or(std::vector<Vec2>{});
        } else if (field.name == "active") {
            shape_.active = truth_in(field.value).value_or(true);
        } else if (field.name == "msg" && shape_.kind == ShapeKind::textbox) {
            shape_.lines.emplace_back(enclosed(field.value, '"', '"').value_or(field.value));
        } else if (field.name == "msg") {
            shape_.msg = field.value;
        } else if (field.name == "time") {
            shape_.time = number_in(field.value);
        } else if (field.name == "duration" || field.name == "dur") {
            shape_.duration = number_in(field.value);
        } else if (field.name == "fill_invariant") {
            shape_.fill_invariant = truth_in(field.value).value_or(false);
        } else if (shape_.kind == ShapeKind::grid &&
                   (field.name.starts_with("cell") || field.name == "init_val")) {
            grid_fields_.push_back(field);
        } else {
            for (const ShapeText& text : shape_texts)
                if (field.name == text.name) {
                    shape_.*text.place = field.value;
                    return;
                }
            if (shape_.kind == ShapeKind::textbox && !field.name.empty())
                fault_ = fmt::format("a text box has no `{}`", field.name);
        }
    }

    bool take_style(const TextField& field) {
        for (const StyleText& color : style_colors)
            if (field.name == color.name) {
                shape_.style.*color.place = color_word(field.value);
                return true;
            }
        for (const StyleNumber& number : style_numbers)
            if (field.name == number.name) {
                if (const auto value = number_in(field.value); value && *value >= 0)
                    shape_.style.*number.place = *value;
                return true;
            }
        if (shape_.kind == ShapeKind::marker) return take_marker_color(field);
        if (shape_.kind != ShapeKind::textbox || field.name != "mcolor") return false;
        shape_.style.primary_color = color_word(field.value);
        return true;
    }

    bool take_marker_color(const TextField& field) {
        ShapeStyle& style = shape_.style;
        if (field.name == "color" || field.name == "primary_color") {
            style.primary_color = color_word(field.value);
        } else if (field.name == "secondary_color") {
            style.secondary_color = color_word(field.value);
        } else if (field.name == "colors") {
            const std::size_t colon = field.value.find(':');
            style.primary_color = color_word(field.value.substr(0, colon));
            if (colon != std::string_view::npos)
                style.secondary_color = color_word(field.value.substr(colon + 1));
        } else {
            return false;
        }
        return true;
    }

    bool take_number(const TextField& field) {
        const bool is_vector = shape_.kind == ShapeKind::vector;
        for (const ShapeNumber& number : traits_.numbers) {
            if (field.name != number.name && (field.name.empty() || field.name != number.other_name))
                continue;
            const auto value = number_in(field.value);
            if (!value)
                fault_ = fmt::format("`{}` is not a number", field.name);
            else if (std::abs(*value) > most_meters)
                fault_ = fmt::format("`{}` is out of range", field.name);
            given_.emplace_back(number.name, value.value_or(0));
            return true;
        }
        if (!is_vector || (field.name != "xdot" && field.name != "ydot")) return false;
        (field.name == "xdot" ? along_.x : along_.y) = number_in(field.value).value_or(0);
        has_components_ = true;
        return true;
    }

    std::optional<double> given(std::string_view name) const {
        for (const auto& [key, value] : given_)
            if (key == name) return value;
        return std::nullopt;
    }

    void finish() {
        if (has_components_) {
            given_.emplace_back("ang", std::fmod(bearing(along_) + 360, 360));
            given_.emplace_back("mag", length(along_));
        }
        for (const ShapeNumber& number : traits_.numbers) {
            const auto value = given(number.name);
            if (value)
                shape_.numbers.emplace_back(number.name, *value);
            else if (number.use == NumberUse::written)
                shape_.numbers.emplace_back(number.name, number.otherwise);
            else if (number.use == NumberUse::required && fault_.empty())
                fault_ = fmt::format("missing `{}`", number.name);
        }
        if (!traits_.has_vertices && shape_.kind != ShapeKind::point) place();
        if (shape_.kind == ShapeKind::point && fault_.empty())
            shape_.points = {{shape_.number("x"), shape_.number("y")}};
        if (shape_.kind == ShapeKind::textbox && shape_.lines.empty() && !shape_.duration)
            shape_.duration = 1;
        check_vertices();
        make_grid();
    }

    static double bearing(Vec2 v) { return std::atan2(v.x, v.y) * 180 / std::numbers::pi; }

    void place() {
        if (shape_.kind == ShapeKind::comms_pulse)
            shape_.points = {{shape_.number("sx"), shape_.number("sy")},
                             {shape_.number("tx"), shape_.number("ty")}};
        else if (shape_.kind == ShapeKind::arrow)
            shape_.points = {{shape_.number("ctrx"), shape_.number("ctry")}};
        else
            shape_.points = {{shape_.number("x"), shape_.number("y")}};
    }

    void check_vertices() {
        const bool is_area = shape_.kind == ShapeKind::polygon || shape_.kind == ShapeKind::grid;
        for (const Vec2 p : shape_.points)
            if (!(std::abs(p.x) <= 2 * most_meters && std::abs(p.y) <= 2 * most_meters))
                fault_ = "a vertex is out of range";
        if (!fault_.empty() || !traits_.has_vertices) return;
        if (shape_.points.size() > most_shape_vertices)
            fault_ = fmt::format("more than {} vertices", most_shape_vertices);
        else if (shape_.active && shape_.points.empty())
            fault_ = "no vertices";
        else if (shape_.active && is_area && !is_convex(shape_.points))
            fault_ = "the polygon is not convex";
    }

    void make_grid() {
        if (shape_.kind != ShapeKind::grid || !shape_.active || !fault_.empty()) return;
        auto grid = CellGrid::make(shape_.points, shape_.number("cell_size"), grid_fields_);
        if (grid)
            shape_.grid = std::move(*grid);
        else
            fault_ = grid.error().message;
    }

    const ShapeTraits& traits_;
    Shape shape_;
    std::vector<TextField> grid_fields_;
    std::vector<std::pair<std::string_view, double>> given_;
    Vec2 along_{};
    bool has_components_ = false;
    bool is_form_ = false;
    std::string fault_;
};

}  // namespace

double Shape::number(std::string_view name, double otherwise) const {
    for (const auto& [key, value] : numbers)
        if (key == name) return value;
    return otherwise;
}

Result<Shape> parse_shape(ShapeKind kind, std::string_view text) {
    return ShapeParser(kind).parse(trimmed(text));
}

std::optional<std::vector<Vec2>> parse_vertices(std::string_view text) {
    std::vector<Vec2> points;
    for (const std::string_view vertex : split_outside(text, ':')) {
        const auto parts = split_outside(vertex, ',');
        const auto coordinate = [&](std::size_t i) -> std::optional<double> {
            if (i >= parts.size()) return std::nullopt;
            const std::size_t equals = parts[i].find('=');
            return number_in(equals == std::string_view::npos ? parts[i] : parts[i].substr(equals + 1));
        };
        const auto x = coordinate(0);
        const auto y = coordinate(1);
        if (!x || !y || std::abs(*x) > most_meters || std::abs(*y) > most_meters) return std::nullopt;
        points.push_back({*x, *y});
    }
    return points;
}

bool is_convex(const std::vector<Vec2>& vertices) {
    if (vertices.empty()) return false;
    double turned = 0;
    double sign = 0;
    const std::size_t count = vertices.size();
    for (std::size_t i = 0; i < count && count > 2; ++i) {
        const Vec2 a = vertices[(i + 1) % count] - vertices[i];
        const Vec2 b = vertices[(i + 2) % count] - vertices[(i + 1) % count];
        const double turn = cross(a, b);
        if (turn * sign < 0) return false;
        if (turn != 0) sign = turn;
        turned += std::atan2(turn, dot(a, b));
    }
    // A star turns the same way everywhere, but more than once around.
    return std::abs(turned) < 2 * std::numbers::pi + 0.1;
}

}  // namespace caribou::marine
