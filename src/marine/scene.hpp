#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/limits.hpp"
#include "base/result.hpp"
#include "data/marine_event.hpp"
#include "marine/cell_grid.hpp"
#include "marine/geodesy.hpp"

namespace caribou::marine {

/// A value of the bus that the marine view may show.
struct SceneValue {
    std::string_view variable;
    std::string_view text;
    std::string_view community;
    std::string_view source;
    double now;  ///< UNIX seconds, warped
};

/// All that the marine view shows: the shapes of all communities and the vehicles with their trails. A shape
/// is identified by its community, its kind and its label; a shape without a label is new each time, except
/// seg lists and text boxes.
class Scene {
public:
    static constexpr std::size_t most_shapes = 5'000;  ///< then the oldest is erased
    static constexpr std::size_t most_vehicles = 500;  ///< further ones are refused
    static constexpr std::size_t longest_value = 256_KiB;
    static constexpr std::size_t most_memory = 12_MiB;  ///< of all shapes; then the oldest is erased

    Scene(std::optional<Geodesy> geodesy, std::vector<std::string> report_variables,
          std::size_t trail_length);

    /// Returns whether the view reads this variable.
    bool reads(std::string_view variable) const;
    /// Applies a value. Returns what changed, or the reason for which the value cannot be shown.
    Result<data::MarineEvent> apply(const SceneValue& value);
    /// Removes shapes whose time is over.
    void expire(double now);
    /// Returns events that lead to the present scene.
    std::vector<data::MarineEvent> everything() const;

    /// Returns the latest report of a vehicle, or null.
    const data::MarineVehicle* vehicle(std::string_view name) const;
    /// Returns the vehicle that is nearest to a point, or null if there is none.
    const data::MarineVehicle* nearest_vehicle(Vec2 point) const;
    std::size_t shape_count() const { return shapes_.size(); }

private:
    struct KeptShape {
        std::uint64_t order;
        data::MarineEvent event;
        std::optional<CellGrid> grid;
    };
    using Shapes = std::map<std::string, KeptShape, std::less<>>;

    Result<data::MarineEvent> apply_shape(const SceneValue& value);
    Result<data::MarineEvent> apply_cells(const SceneValue& value);
    Result<data::MarineEvent> apply_report(const SceneValue& value);
    Result<data::MarineEvent> apply_clear(const SceneValue& value);
    Result<data::MarineEvent> apply_center(const SceneValue& value) const;
    void keep_shape(KeptShape shape, std::vector<std::string>& erased);
    void erase_shape(Shapes::iterator shape);

    std::optional<Geodesy> geodesy_;
    std::vector<std::string> reports_;
    std::size_t trail_length_;
    Shapes shapes_;
    std::size_t shape_memory_ = 0;  ///< of shapes_
    std::map<std::string, std::deque<data::MarineEvent>, std::less<>> vehicles_;
    std::uint64_t order_ = 0;
    std::uint64_t unlabeled_ = 0;
};

/// Returns the memory that an event takes, in bytes, approximately.
std::size_t memory_of(const data::MarineEvent& event);

}  // namespace caribou::marine
