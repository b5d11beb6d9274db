#include "bus/load_report.hpp"

#include <algorithm>
#include <utility>

#include "base/number_text.hpp"
#include "base/trimmed.hpp"

namespace caribou::bus {
namespace {

constexpr double longest_load_request = 30;

}  // namespace

void LoadReport::on_request(std::string_view text, std::string_view app, Instant now) {
    bool is_meant = false;
    std::optional<double> duration;
    while (!text.empty()) {
        const std::string_view field = text.substr(0, text.find(','));
        text.remove_prefix(std::min(text.size(), field.size() + 1));
        const std::size_t equals = field.find('=');
        if (equals == std::string_view::npos) continue;
        const std::string_view name = trimmed(field.substr(0, equals));
        const std::string_view value = trimmed(field.substr(equals + 1));
        if (name == "app") is_meant = value == app || value == "all" || value == "any";
        if (name == "duration") duration = number_in(value);
    }
    if (is_meant && duration) expires_ = now + from_seconds(std::clamp(*duration, 0.0, longest_load_request));
}

void LoadReport::begin(Instant now) { before_ = std::exchange(began_, now); }

std::optional<LoadReport::Load> LoadReport::end(Instant now, double app_tick) const {
    if (now >= expires_ || !before_ || !began_ || !(app_tick > 0)) return std::nullopt;
    return Load{.gap = to_seconds(*began_ - *before_) * app_tick,
                .length = to_seconds(now - *began_) * app_tick};
}

}  // namespace caribou::bus
