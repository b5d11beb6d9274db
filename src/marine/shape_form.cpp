#include "marine/shape_form.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "base/number_text.hpp"

namespace caribou::marine {
namespace {

constexpr double most_vertices = 1000;

double radians_of(double degrees) { return degrees * std::numbers::pi / 180; }

/// The numbers of a form by name.
class FormNumbers {
public:
    explicit FormNumbers(std::string_view text) : fields_(fields_in(text)) {}

    double get(std::string_view name) {
        const auto value = find(name);
        if (!value) valid_ = false;
        return value.value_or(0);
    }
    double get(std::string_view name, double otherwise) const { return find(name).value_or(otherwise); }
    std::string_view text(std::string_view name) const {
        for (const TextField& field : fields_)
            if (field.name == name) return field.value;
        return {};
    }
    bool valid() const { return valid_; }

private:
    std::optional<double> find(std::string_view name) const { return number_in(text(name)); }

    std::vector<TextField> fields_;
    bool valid_ = true;
};

double snapped(double value, double snap) { return snap > 0 ? std::round(value / snap) * snap : value; }

void snap_all(std::vector<Vec2>& points, double snap) {
    for (Vec2& p : points) p = {snapped(p.x, snap), snapped(p.y, snap)};
}

std::vector<Vec2> radial(Vec2 center, double radius, double count) {
    std::vector<Vec2> points;
    if (count < 3 || count > most_vertices || !(radius > 0)) return points;
    for (int i = 0; i < static_cast<int>(count); ++i)
        points.push_back(ahead(center, (i + 0.5) * 360 / std::floor(count), radius));
    return points;
}

std::vector<Vec2> ellipse(FormNumbers& of, Vec2 center) {
    const double major = of.get("major") / 2;
    const double minor = of.get("minor") / 2;
    const double angle = of.get("degs", of.get("rads", std::numbers::pi / 2) * 180 / std::numbers::pi);
    const double count = std::floor(of.get("pts"));
    std::vector<Vec2> points;
    if (count < 4 || count > most_vertices) return points;
    for (int i = 0; i < static_cast<int>(count); ++i) {
        const double turn = 2 * std::numbers::pi * i / count;
        points.push_back(
            ahead(ahead(center, angle, -major * std::cos(turn)), angle + 90, minor * std::sin(turn)));
    }
    return points;
}

std::vector<Vec2> pie(FormNumbers& of, Vec2 center) {
    const double left = of.get("lang");
    const double right = of.get("rang");
    const double range = of.get("range");
    const double count = std::floor(of.get("pts"));
    if (count < 1 || count > most_vertices) return {};
    std::vector<Vec2> points{center};
    for (int i = 0; i <= static_cast<int>(count); ++i)
        points.push_back(ahead(center, left + (right - left) * i / count, range));
    return points;
}

std::vector<Vec2> stadium(FormNumbers& of, Vec2 center) {
    const double radius = of.get("rad");
    const double half = of.get("len") / 2 - radius;
    const double angle = of.get("ang");
    const double step = of.get("draw_degs", 15);
    std::vector<Vec2> points;
    if (!(step >= 0.5) || half < 0) return points;
    for (const double end : {angle, angle + 180})
        for (double turn = -90; turn <= 90 + 1e-9; turn += step)
            points.push_back(ahead(ahead(center, end, half), end + turn, radius));
    return points;
}

/// `x,y,width,height,…`: rows that are `lane_width` apart, driven back and forth.
std::vector<Vec2> lawnmower(FormNumbers& of, Vec2 center) {
    const double width = of.get("width");
    const double height = of.get("height");
    const double lane = of.get("lane_width", of.get("swath", 0));
    const double turn = of.get("degs", 0);
    const bool is_north_south = of.text("rows") != "east-west" && of.text("rows") != "ew";
    const double across = is_north_south ? width : height;
    const double along = is_north_south ? height : width;
    std::vector<Vec2> points;
    if (!(lane > 0) || across / lane > most_vertices / 2 || !(across >= 0)) return points;
    bool returns = false;
    for (double at = -across / 2; at <= across / 2 + 1e-9; at += lane) {
        for (const double end : {-along / 2, along / 2}) {
            const double other = returns ? -end : end;
            const Vec2 p = is_north_south ? Vec2{at, other} : Vec2{other, at};
            points.push_back(ahead(ahead(center, turn, p.y), turn + 90, p.x));
        }
        returns = !returns;
    }
    return points;
}

std::vector<Vec2> bowtie(FormNumbers& of, Vec2 center) {
    const double half = of.get("height") / 2;
    const double width[] = {of.get("wid1"), of.get("wid2"), of.get("wid3")};
    std::vector<Vec2> points;
    for (const double side : {-1.0, 1.0})
        for (const Vec2 p :
             {Vec2{width[0], -half}, {width[1], -half}, {width[2], 0}, {width[1], half}, {width[0], half}})
            points.push_back({center.x + side * p.x, center.y + p.y});
    return points;
}

/// `x,y,angle,length,period,amplitude[,snap]`.
std::vector<Vec2> zigzag(std::string_view text) {
    std::vector<double> value;
    for (const std::string_view part : split_outside(text, ',')) {
        const auto number = number_in(part);
        if (!number) return {};
        value.push_back(*number);
    }
    if (value.size() < 6 || !(value[4] > 0) || value[3] / value[4] > most_vertices / 2) return {};
    const Vec2 start{value[0], value[1]};
    std::vector<Vec2> points{start};
    double side = -1;
    for (double at = value[4] / 4; at <= value[3]; at += value[4] / 2) {
        points.push_back(ahead(ahead(start, value[2], at), value[2] + 90, side * value[5]));
        side = -side;
    }
    snap_all(points, value.size() > 6 ? value[6] : 0);
    return points;
}

/// Returns the name of the form in `format=NAME,…`; removes it from the text.
std::string take_format(std::string_view& text) {
    if (!text.starts_with("format=") && !text.starts_with("format =")) return {};
    const std::size_t comma = text.find(',');
    const std::string name = lower(trimmed(text.substr(text.find('=') + 1, comma - text.find('=') - 1)));
    text.remove_prefix(std::min(comma == std::string_view::npos ? text.size() : comma + 1, text.size()));
    return name;
}

/// `x,y,radius,pts[,snap[,label]]`.
std::vector<Vec2> short_radial(std::string_view text, std::string& label) {
    const auto parts = split_outside(text, ',');
    double value[5] = {0, 0, 0, 0, 0};
    for (std::size_t i = 0; i < parts.size() && i < 5; ++i) {
        const auto number = number_in(parts[i]);
        if (!number) return {};
        value[i] = *number;
    }
    if (parts.size() < 4) return {};
    if (parts.size() > 5) label = parts[5];
    auto points = radial({value[0], value[1]}, value[2], value[3]);
    snap_all(points, value[4]);
    return points;
}

}  // namespace

Vec2 ahead(Vec2 from, double degrees, double meters) {
    return {from.x + meters * std::sin(radians_of(degrees)), from.y + meters * std::cos(radians_of(degrees))};
}

FormVertices polygon_form(std::string_view text, std::string& label) {
    std::string_view rest = text;
    std::string name = take_format(rest);
    for (const std::string_view form : {"radial", "ellipse", "wedge", "oval"})
        if (name.empty() && rest.starts_with(form) && rest.substr(form.size()).starts_with(':')) {
            name = form;
            rest = rest.substr(form.size() + 1);
            if (rest.starts_with(':')) rest.remove_prefix(1);
        }
    if (name.empty()) return {};
    if (name == "radial" && !rest.contains('=')) return {true, short_radial(rest, label)};
    FormNumbers of(rest);
    const Vec2 center{of.get("x"), of.get("y")};
    std::vector<Vec2> points;
    if (name == "radial") points = radial(center, of.get("radius"), of.get("pts"));
    if (name == "ellipse") points = ellipse(of, center);
    if (name == "wedge") points = pie(of, center);
    if (name == "oval") points = stadium(of, center);
    snap_all(points, of.get("snap", 0));
    if (!of.valid()) points.clear();
    return {true, std::move(points)};
}

FormVertices seglist_form(std::string_view text) {
    if (text.starts_with("zigzag:")) return {true, zigzag(text.substr(7))};
    const std::string name = take_format(text);
    if (name.empty()) return {};
    FormNumbers of(text);
    std::vector<Vec2> points;
    if (name == "lawnmower") points = lawnmower(of, {of.get("x"), of.get("y")});
    if (name == "bowtie") points = bowtie(of, {of.get("x"), of.get("y")});
    snap_all(points, of.get("snap", 0));
    if (!of.valid()) points.clear();
    return {true, std::move(points)};
}

}  // namespace caribou::marine
