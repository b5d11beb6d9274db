#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/geometry.hpp"
#include "base/result.hpp"
#include "marine/fields.hpp"

namespace caribou::marine {

/// The cells of a VIEW_GRID: squares of equal size that overlap a convex polygon, with values by variable.
/// They are numbered column by column from the west, each from the south.
class CellGrid {
public:
    static constexpr std::size_t most_cells = 10'000;
    static constexpr std::size_t most_variables = 20;
    static constexpr std::size_t most_vertices = 1'000;

    /// Reads cell_vars, init_val, cell_min, cell_max and cell of `fields`; ignores the others.
    static Result<CellGrid> make(const std::vector<Vec2>& polygon, double cell_size,
                                 const std::vector<TextField>& fields);

    /// The middles of the cells.
    const std::vector<Vec2>& cells() const { return cells_; }
    double cell_size() const { return cell_size_; }
    /// Returns the name of the first variable, which is the one that is drawn; it may be empty.
    const std::string& name() const { return variables_[0].name; }
    /// Returns the values of the first variable.
    const std::vector<double>& values() const { return variables_[0].values; }
    /// Returns the limits of the first variable, or else its least and greatest value so far.
    std::pair<double, double> range() const;

    /// Applies what follows the label in a VIEW_GRID_DELTA: `[delta|replace|avg@]cell,value:cell,VAR,value…`.
    /// Returns the changed cells. Fails, and changes nothing, if an entry is malformed.
    Result<std::vector<std::size_t>> apply(std::string_view delta);

    /// Returns the fields of `make`, with the cells whose value is not the initial one.
    std::string to_text() const;

    friend bool operator==(const CellGrid&, const CellGrid&) = default;

private:
    struct Variable {
        std::string name;
        double initial = 0;
        std::optional<double> least{}, most{};  ///< limits
        double least_seen = initial, most_seen = initial;
        std::vector<double> values{};  ///< by cell

        void set(std::size_t cell, double value);
        friend bool operator==(const Variable&, const Variable&) = default;
    };

    Result<void> fill(const std::vector<Vec2>& polygon);
    Result<void> take_variables(const TextField& field);
    Result<void> take_cell(std::string_view text);
    Variable* find(std::string_view name);

    double cell_size_ = 0;
    std::vector<Vec2> cells_;
    std::vector<Variable> variables_;
};

}  // namespace caribou::marine
