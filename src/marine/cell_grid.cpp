#include "marine/cell_grid.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "base/number_text.hpp"

namespace caribou::marine {
namespace {

struct Range {
    double least = std::numeric_limits<double>::infinity();
    double most = -std::numeric_limits<double>::infinity();

    void take(double value) {
        least = std::min(least, value);
        most = std::max(most, value);
    }
};

/// Returns the extent in y of the part of a convex polygon between two values of x.
Range extent_between(const std::vector<Vec2>& polygon, double left, double right) {
    Range extent;
    for (std::size_t i = 0; i < polygon.size(); ++i) {
        const Vec2 a = polygon[i];
        const Vec2 b = polygon[(i + 1) % polygon.size()];
        if (a.x >= left && a.x <= right) extent.take(a.y);
        for (const double x : {left, right})
            if ((a.x < x) != (b.x < x)) extent.take(a.y + (b.y - a.y) * (x - a.x) / (b.x - a.x));
    }
    return extent;
}

std::unexpected<Error> malformed(std::string why) { return fail(Code::malformed, std::move(why)); }

/// Returns a number of finite size.
std::optional<double> value_in(std::string_view text) {
    const auto value = number_in(text);
    return value && std::abs(*value) <= 1e15 ? value : std::nullopt;
}

/// Returns the number of a cell below `count`.
std::optional<std::size_t> cell_in(std::string_view text, std::size_t count) {
    const auto value = number_in(text);
    if (!value || *value < 0 || *value >= static_cast<double>(count) || std::floor(*value) != *value)
        return std::nullopt;
    return static_cast<std::size_t>(*value);
}

/// Returns the number of cells from `least` to `most`; a part of a cell counts if it is not due to rounding.
double count_of(double least, double most, double size) {
    return std::max(1.0, std::ceil((most - least) / size - 1e-9));
}

}  // namespace

void CellGrid::Variable::set(std::size_t cell, double value) {
    value = std::clamp(value, least.value_or(-1e300), std::max(most.value_or(1e300), least.value_or(-1e300)));
    values[cell] = value;
    least_seen = std::min(least_seen, value);
    most_seen = std::max(most_seen, value);
}

Result<CellGrid> CellGrid::make(const std::vector<Vec2>& polygon, double cell_size,
                                const std::vector<TextField>& fields) {
    CellGrid grid;
    grid.cell_size_ = cell_size;
    if (!(cell_size > 0)) return malformed("expected cell_size above 0");
    if (auto filled = grid.fill(polygon); !filled) return fail(std::move(filled.error()));
    for (const TextField& field : fields)
        if (auto taken = grid.take_variables(field); !taken) return fail(std::move(taken.error()));
    if (grid.variables_.empty()) grid.variables_.push_back({});
    for (Variable& variable : grid.variables_) variable.values.assign(grid.cells_.size(), variable.initial);
    for (const TextField& field : fields)
        if (field.name == "cell")
            if (auto taken = grid.take_cell(field.value); !taken) return fail(std::move(taken.error()));
    return grid;
}

Result<void> CellGrid::fill(const std::vector<Vec2>& polygon) {
    if (polygon.size() > most_vertices)
        return malformed(fmt::format("more than {} vertices of a grid", most_vertices));
    Range across;
    Range along;
    for (const Vec2 p : polygon) {
        across.take(p.x);
        along.take(p.y);
    }
    if (polygon.size() < 3) return {};
    const double columns = count_of(across.least, across.most, cell_size_);
    const double rows = count_of(along.least, along.most, cell_size_);
    if (!(columns * rows <= static_cast<double>(most_cells)))
        return malformed(fmt::format("more than {} cells", most_cells));
    const double rounding = cell_size_ * 1e-9;
    for (double column = 0; column < columns; ++column) {
        const double left = across.least + column * cell_size_;
        const Range extent = extent_between(polygon, left + rounding, left + cell_size_ - rounding);
        for (double row = 0; row < rows; ++row) {
            const double low = along.least + row * cell_size_;
            if (extent.most > low + rounding && extent.least < low + cell_size_ - rounding)
                cells_.push_back({left + cell_size_ / 2, low + cell_size_ / 2});
        }
    }
    return {};
}

CellGrid::Variable* CellGrid::find(std::string_view name) {
    const auto found = std::ranges::find(variables_, name, &Variable::name);
    return found == variables_.end() ? nullptr : &*found;
}

Result<void> CellGrid::take_variables(const TextField& field) {
    if (field.name == "init_val") {
        const auto value = value_in(field.value);
        if (!value) return malformed("`init_val` is not a number");
        variables_.assign(1, {.name = "", .initial = *value});
        return {};
    }
    const bool declares = field.name == "cell_vars";
    if (!declares && field.name != "cell_min" && field.name != "cell_max") return {};
    const auto parts = split_outside(field.value, ':');
    for (std::size_t i = 0; i < parts.size(); i += 2) {
        const auto value = i + 1 < parts.size() ? value_in(parts[i + 1]) : std::nullopt;
        if (!value) return malformed(fmt::format("expected {}=VAR:number[:VAR:number]…", field.name));
        if (declares) {
            if (find(parts[i])) return malformed(fmt::format("two variables `{}`", parts[i]));
            if (variables_.size() == most_variables)
                return malformed(fmt::format("more than {} variables", most_variables));
            variables_.push_back({.name = std::string(parts[i]), .initial = *value});
        } else if (Variable* const variable = find(parts[i])) {
            (field.name == "cell_min" ? variable->least : variable->most) = value;
        }
    }
    return {};
}

/// `2:x:7:y:3`, or `2:7` of a grid whose variable has no name.
Result<void> CellGrid::take_cell(std::string_view text) {
    const auto parts = split_outside(text, ':');
    const auto cell = parts.empty() ? std::nullopt : cell_in(parts[0], cells_.size());
    if (!cell) return malformed(fmt::format("there is no cell in `{}`; cells: {}", text, cells_.size()));
    const bool is_short = parts.size() == 2;
    for (std::size_t i = 1; i < parts.size(); i += 2) {
        Variable* const variable = find(is_short ? "" : parts[i]);
        const std::size_t at = is_short ? i : i + 1;
        const auto value = at < parts.size() ? value_in(parts[at]) : std::nullopt;
        if (!variable || !value)
            return malformed(fmt::format("expected cell=index:VAR:number in `{}`", text));
        variable->set(*cell, *value);
        if (is_short) break;
    }
    return {};
}

std::pair<double, double> CellGrid::range() const {
    const Variable& shown = variables_[0];
    return {shown.least.value_or(shown.least_seen), shown.most.value_or(shown.most_seen)};
}

Result<std::vector<std::size_t>> CellGrid::apply(std::string_view delta) {
    std::string_view way = "delta";
    if (const std::size_t at = delta.find('@'); at != std::string_view::npos) {
        way = trimmed(delta.substr(0, at));
        delta.remove_prefix(at + 1);
    }
    if (way != "delta" && way != "replace" && way != "avg")
        return malformed(fmt::format("expected delta, replace or avg, found `{}`", way));
    struct Change {
        Variable* variable;
        std::size_t cell;
        double value;
    };
    std::vector<Change> changes;
    for (const std::string_view entry : split_outside(delta, ':')) {
        const auto parts = split_outside(entry, ',');
        const auto cell = parts.empty() ? std::nullopt : cell_in(parts[0], cells_.size());
        const auto value = parts.size() == 2 || parts.size() == 3 ? value_in(parts.back()) : std::nullopt;
        Variable* const variable = find(parts.size() == 3 ? parts[1] : std::string_view());
        if (!cell || !value || !variable)
            return malformed(fmt::format("`{}` names no cell and variable of this grid", entry));
        changes.push_back({variable, *cell, *value});
    }
    std::vector<std::size_t> changed;
    for (const auto& [variable, cell, value] : changes) {
        const double before = variable->values[cell];
        variable->set(cell, way == "delta" ? before + value : way == "avg" ? (before + value) / 2 : value);
        changed.push_back(cell);
    }
    return changed;
}

std::string CellGrid::to_text() const {
    std::string declared;
    std::string limits[2];
    for (const Variable& variable : variables_) {
        declared += fmt::format(":{}:{}", variable.name, short_number(variable.initial, 4));
        if (variable.least)
            limits[0] += fmt::format(":{}:{}", variable.name, short_number(*variable.least, 4));
        if (variable.most) limits[1] += fmt::format(":{}:{}", variable.name, short_number(*variable.most, 4));
    }
    const bool is_plain = variables_.size() == 1 && variables_[0].name.empty();
    std::string text =
        is_plain ? "init_val=" + short_number(variables_[0].initial, 4) : "cell_vars=" + declared.substr(1);
    if (!limits[0].empty()) text += ",cell_min=" + limits[0].substr(1);
    if (!limits[1].empty()) text += ",cell_max=" + limits[1].substr(1);
    for (std::size_t cell = 0; cell < cells_.size(); ++cell) {
        std::string changed;
        for (const Variable& variable : variables_)
            if (variable.values[cell] != variable.initial)
                changed += fmt::format(":{}:{}", variable.name, short_number(variable.values[cell], 4));
        if (!changed.empty()) text += fmt::format(",cell={}{}", cell, changed);
    }
    return text;
}

}  // namespace caribou::marine
