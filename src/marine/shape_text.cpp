#include <fmt/format.h>

#include "marine/fields.hpp"
#include "marine/shape.hpp"
#include "marine/shape_table.hpp"

namespace caribou::marine {
namespace {

/// Adds `name=value` parts.
class FieldWriter {
public:
    void add(std::string_view name, std::string_view value) {
        if (value.empty()) return;
        if (!text_.empty()) text_ += ',';
        text_ += fmt::format("{}={}", name, value);
    }
    void add(std::string_view name, const std::optional<double>& value, int digits) {
        if (value) add(name, short_number(*value, digits));
    }
    /// Adds parts that are written already.
    void append(std::string_view parts) { text_ += (text_.empty() ? "" : ",") + std::string(parts); }
    std::string take() && { return std::move(text_); }

private:
    std::string text_;
};

std::string vertices_text(const Shape& shape, int digits) {
    std::string text;
    for (const Vec2 p : shape.points)
        text += fmt::format("{}{},{}", text.empty() ? "" : ":", short_number(p.x, digits),
                            short_number(p.y, digits));
    return "{" + text + "}";
}

/// Returns the number of decimals that are written.
int digits_of(std::string_view name) { return name == "x" || name == "y" ? 2 : 4; }

void add_own(FieldWriter& to, const Shape& shape) {
    const ShapeTraits& traits = traits_of(shape.kind);
    if (traits.has_vertices && !shape.points.empty()) to.add("pts", vertices_text(shape, traits.digits));
    for (const auto& [name, value] : shape.numbers) {
        if (name == "fsize")
            for (const std::string& line : shape.lines) to.add("msg", "\"" + line + "\"");
        to.add(name, short_number(value, digits_of(name)));
    }
    if (shape.kind == ShapeKind::textbox) to.add("mcolor", shape.style.primary_color);
    if (shape.kind == ShapeKind::marker) {
        to.add("primary_color", shape.style.primary_color);
        to.add("secondary_color", shape.style.secondary_color);
    }
    if (shape.grid) to.append(shape.grid->to_text());
    if (shape.fill_invariant) to.add("fill_invariant", "true");
    to.add("type", shape.type);
    to.add("owner", shape.owner);
}

}  // namespace

std::string to_string(const Shape& shape) {
    const ShapeStyle& style = shape.style;
    FieldWriter to;
    add_own(to, shape);
    if (!shape.active) to.add("active", "false");
    to.add("label", shape.label);
    to.add("msg", shape.msg);
    to.add("source", shape.source);
    to.add("vsource", shape.vsource);
    to.add("id", shape.id);
    to.add("label_color", style.label_color);
    to.add("edge_color", style.edge_color);
    to.add("vertex_color", style.vertex_color);
    to.add("fill_color", style.fill_color);
    to.add("time", shape.time, 2);
    to.add("duration", shape.duration, 2);
    to.add("vertex_size", style.vertex_size, 1);
    to.add("edge_size", style.edge_size, 1);
    to.add("fill_transparency", style.fill_transparency, 2);
    return std::move(to).take();
}

}  // namespace caribou::marine
