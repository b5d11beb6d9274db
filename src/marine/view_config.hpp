#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bus/mission.hpp"
#include "data/marine_config.hpp"
#include "marine/geodesy.hpp"
#include "marine/poke_text.hpp"

namespace caribou::marine {

/// A button or a menu entry.
struct ViewButton {
    std::string label{};
    std::string color{};
    std::vector<PokeText> pokes{};
    bool ends_group = false;
};

/// What is published when the map is clicked.
struct ViewContext {
    bool is_left = true;
    std::string menu{};  ///< empty: always active
    PokeText poke{};
};

/// The configuration of the marine view: the block pMarineViewer and the origin of a mission file.
struct ViewConfig {
    std::optional<Geodesy> geodesy{};
    std::vector<ViewButton> buttons{};
    std::vector<ViewButton> actions{};
    std::vector<ViewContext> contexts{};
    std::vector<std::string> scope{};
    std::vector<std::string> reports{"NODE_REPORT", "NODE_REPORT_LOCAL"};
    std::string image{};         ///< of the background, as in the file; empty: none
    data::MarineConfig shown{};  ///< what the page is told; buttons, actions and contexts are filled in, too
    std::vector<bus::MissionFinding> findings{};  ///< words that are unknown or have no effect
    bool has_block = false;
};

/// Reads the configuration. Words that are unknown or have no effect are reported, and never fail.
ViewConfig view_config(const bus::Mission& mission);

/// Returns the edges of an image from the text of its info file (`lat_north = …`, lat_south, lon_east,
/// lon_west; x_west … in meters), or nullopt if one is missing.
std::optional<data::MarineBackground> background_edges(std::string_view info, const Geodesy* geodesy);

}  // namespace caribou::marine
