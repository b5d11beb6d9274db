#include "caribou/chart.hpp"

#include <cmath>
#include <vector>

namespace caribou::app {

void Chart::mark(double x, double y) {
    wake_.emplace_back(x, y);
    if (wake_.size() > wake_length) wake_.pop_front();
}

std::string Chart::draw(double x, double y) const {
    std::vector<std::string> lines(rows, std::string(columns, ' '));
    const auto put = [&](double px, double py, char letter) {
        const auto column = std::lround((px / half_width + 1) / 2 * (columns - 1));
        const auto row = std::lround((1 - py / half_height) / 2 * (rows - 1));
        if (column < 0 || column >= columns || row < 0 || row >= rows) return;
        lines[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)] = letter;
    };
    for (const auto& [wx, wy] : wake_) put(wx, wy, '.');
    put(-50, 0, 'o');
    put(50, 0, 'o');
    put(x, y, '@');
    std::string picture;
    for (const std::string& line : lines) picture += line + "\n";
    return picture;
}

}  // namespace caribou::app
