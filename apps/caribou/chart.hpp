#pragma once

#include <deque>
#include <string>
#include <utility>

namespace caribou::app {

/// A small sea chart in letters, with the wake of the last minutes.
class Chart {
public:
    static constexpr int columns = 65;
    static constexpr int rows = 17;
    static constexpr double half_width = 100;  ///< metres from the middle to an edge
    static constexpr double half_height = 40;

    void mark(double x, double y);
    /// The chart with the vessel at a place, each line ended.
    std::string draw(double x, double y) const;

private:
    static constexpr std::size_t wake_length = 120;
    std::deque<std::pair<double, double>> wake_;
};

}  // namespace caribou::app
