#include "marine/view_config.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/nearest.hpp"
#include "base/number_text.hpp"
#include "bus/parameters.hpp"
#include "marine/color.hpp"
#include "marine/drawing.hpp"
#include "marine/fields.hpp"

namespace caribou::marine {
namespace {

using bus::MissionFinding;
using bus::MissionSetting;

constexpr std::array<std::string_view, 20> button_numbers{
    "one",     "two",     "three",     "four",     "five",     "six",      "seven",
    "eight",   "nine",    "ten",       "eleven",   "twelve",   "thirteen", "fourteen",
    "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"};

/// Words that have a meaning for pMarineViewer, and none here.
constexpr std::string_view ignored_words[] = {"set_pan_x",
                                              "set_pan_y",
                                              "zoom",
                                              "set_zoom",
                                              "tiff_file_b",
                                              "tiff_viewable",
                                              "tiff_type",
                                              "tiff_view",
                                              "hash_shade",
                                              "back_shade",
                                              "vehicles_shape_scale",
                                              "vehicle_shape_scale",
                                              "vehicles_viewable",
                                              "vehicles_name_color",
                                              "vehicles_name_viewable",
                                              "bearing_lines_viewable",
                                              "bearing_lines_viewable_all",
                                              "trails_point_size",
                                              "trails_color",
                                              "trails_connect_viewable",
                                              "trails_gap",
                                              "op_area_viewable_all",
                                              "op_area_viewable_labels",
                                              "oparea_viewable_all",
                                              "oparea_viewable_labels",
                                              "datum_viewable",
                                              "datum_size",
                                              "datum_color",
                                              "marker_scale",
                                              "center_view",
                                              "content_mode",
                                              "refresh_mode",
                                              "infocast_viewable",
                                              "infocast_width",
                                              "infocast_height",
                                              "infocast_font_size",
                                              "nodes_font_size",
                                              "procs_font_size",
                                              "appcast_viewable",
                                              "appcast_height",
                                              "appcast_width",
                                              "appcast_font_size",
                                              "appcast_color_scheme",
                                              "appcast_refresh_mode",
                                              "infocast_color_scheme",
                                              "watch_cluster",
                                              "beat_flag",
                                              "extrap_policy",
                                              "ignore_name",
                                              "match_name",
                                              "log_the_image",
                                              "verbose",
                                              "button_size",
                                              "lclick_ix_start",
                                              "rclick_ix_start",
                                              "vehicles_active_viewable",
                                              "realmcast_channel",
                                              "geodesy_init",
                                              "AppTick",
                                              "CommsTick",
                                              "MaxAppTick",
                                              "TERM_REPORT_INTERVAL",
                                              "MAX_APPCAST_EVENTS",
                                              "grid_opaqueness_init",
                                              "drop_point_viewable_all",
                                              "drop_point_coords",
                                              "drop_point_vertex_size",
                                              "wp_viewable_all",
                                              "recap_verbosity"};

constexpr std::string_view known_words[] = {"tiff_file",
                                            "hash_viewable",
                                            "hash_delta",
                                            "vehicles_name_mode",
                                            "vehicles_active_color",
                                            "vehicles_inactive_color",
                                            "trails_viewable",
                                            "trails_length",
                                            "op_vertex",
                                            "action",
                                            "scope",
                                            "left_context",
                                            "right_context",
                                            "node_report_variable",
                                            "node_report_unc",
                                            "stale_report_thresh",
                                            "stale_remove_thresh",
                                            "button_one",
                                            "polygon_viewable_all",
                                            "seglist_viewable_all",
                                            "point_viewable_all"};

class ViewConfigReader {
public:
    ViewConfig read(const bus::Mission& mission) {
        auto& shown = config_.shown;
        shown = {.live = true,
                 .warp = 1,
                 .trail_length = 100,
                 .trails = true,
                 .names = "names+shortmode",
                 .active_color = "",
                 .inactive_color = "",
                 .stale_after = 5,
                 .remove_after = 180,
                 .grid = true};
        read_globals(mission);
        if (const bus::MissionBlock* block = mission.find_block("pMarineViewer")) {
            config_.has_block = true;
            for (const MissionSetting& setting : block->settings) take(setting);
        }
        if (has_no_image_) config_.image.clear();
        if (config_.reports.empty()) config_.reports = {"NODE_REPORT", "NODE_REPORT_LOCAL"};
        describe();
        return std::move(config_);
    }

private:
    void read_globals(const bus::Mission& mission) {
        const auto* const latitude = mission.find("LatOrigin");
        const auto* const longitude = mission.find("LongOrigin");
        const auto at = [](const MissionSetting* setting) {
            return setting ? number_in(setting->value) : std::nullopt;
        };
        if (at(latitude) && at(longitude)) {
            const auto made = Geodesy::make({*at(latitude), *at(longitude)});
            if (made) {
                config_.geodesy = *made;
                config_.shown.latitude = *at(latitude);
                config_.shown.longitude = *at(longitude);
            } else {
                warn(*latitude, made.error().message);
            }
        }
        if (const auto* community = mission.find("Community")) config_.shown.community = community->value;
    }

    void warn(const MissionSetting& setting, std::string text) {
        config_.findings.push_back({MissionFinding::Kind::warning, setting.line, std::move(text)});
    }

    bool number(const MissionSetting& setting, double& into, double low) {
        const auto value = number_in(setting.value);
        if (value && *value >= low)
            into = *value;
        else
            warn(setting,
                 fmt::format("{}: expected a number from {}, found `{}`", setting.key, low, setting.value));
        return true;
    }

    bool flag(const MissionSetting& setting, bool& into) {
        if (const auto value = truth_in(setting.value))
            into = *value;
        else if (lower(setting.value) != "toggle")
            warn(setting, fmt::format("{}: expected true or false, found `{}`", setting.key, setting.value));
        return true;
    }

    bool color(const MissionSetting& setting, std::string& into) {
        if (const auto value = parse_color(setting.value))
            into = css_text(*value);
        else
            warn(setting, fmt::format("{}: no color is called `{}`", setting.key, setting.value));
        return true;
    }

    void take(const MissionSetting& setting) {
        const std::string key = lower(setting.key);
        if (take_look(setting, key) || take_button(setting, key) || take_context(setting, key) ||
            take_visibility(setting, key) || take_source(setting, key))
            return;
        if (std::ranges::any_of(ignored_words, [&](auto word) { return bus::same_key(word, key); }))
            return note(setting, fmt::format("`{}` has no effect here", setting.key));
        std::vector<std::string> words(std::begin(known_words), std::end(known_words));
        const auto meant = nearest(key, words);
        note(setting, fmt::format("`{}` is not a word of pMarineViewer{}", setting.key,
                                  meant ? fmt::format("; did you mean `{}`?", *meant) : ""));
    }

    void note(const MissionSetting& setting, std::string text) {
        config_.shown.warnings.push_back(fmt::format("line {}: {}", setting.line, text));
        warn(setting, std::move(text));
    }

    bool take_look(const MissionSetting& setting, std::string_view key) {
        auto& shown = config_.shown;
        if (key == "hash_viewable") return flag(setting, shown.grid);
        if (key == "hash_delta") return number(setting, shown.grid_step, 0);
        if (key == "trails_viewable") return flag(setting, shown.trails);
        if (key == "stale_report_thresh") return number(setting, shown.stale_after, 0);
        if (key == "stale_remove_thresh") return number(setting, shown.remove_after, 0);
        if (key == "vehicles_active_color") return color(setting, shown.active_color);
        if (key == "vehicles_inactive_color") return color(setting, shown.inactive_color);
        if (key == "vehicles_name_mode") {
            shown.names = setting.value;
            return true;
        }
        if (key != "trails_length") return false;
        double length = shown.trail_length;
        number(setting, length, 0);
        shown.trail_length = static_cast<std::uint32_t>(std::min(length, 10'000.0));
        return true;
    }

    /// `LABEL # VAR=value # VAR=value # color=c`; a part without `=` is the label.
    static ViewButton parse_button(std::string_view text, bool is_action) {
        ViewButton button;
        for (const std::string_view part : split_outside(text, '#')) {
            const auto poke = parse_poke(part);
            if (!poke) {
                button.label = part;
            } else if (lower(poke->variable) == "color") {
                if (const auto known = parse_color(poke->value)) button.color = css_text(*known);
            } else if (is_action && lower(poke->variable) == "menu_key") {
                continue;
            } else {
                button.pokes.push_back(*poke);
            }
        }
        return button;
    }

    bool take_button(const MissionSetting& setting, std::string_view key) {
        if (key == "action" || key == "action+") {
            ViewButton action = parse_button(setting.value, true);
            action.ends_group = key.ends_with('+');
            if (action.label.empty())
                for (const PokeText& poke : action.pokes)
                    action.label +=
                        fmt::format("{}{}={}", action.label.empty() ? "" : ", ", poke.variable, poke.value);
            config_.actions.push_back(std::move(action));
            return true;
        }
        if (!key.starts_with("button_")) return false;
        const std::string_view number = key.substr(7);
        const auto name = std::ranges::find(button_numbers, number);
        const auto index = name != button_numbers.end()
                               ? std::optional(static_cast<double>(name - button_numbers.begin() + 1))
                               : number_in(number);
        if (!index || *index < 1 || *index > static_cast<double>(button_numbers.size())) return false;
        ViewButton button = parse_button(setting.value, false);
        ViewButton& kept = buttons_[static_cast<std::size_t>(*index) - 1];
        if (!button.label.empty()) kept.label = button.label;
        if (!button.color.empty()) kept.color = button.color;
        kept.pokes.insert(kept.pokes.end(), button.pokes.begin(), button.pokes.end());
        return true;
    }

    /// `left_context[key] = VAR=text`.
    bool take_context(const MissionSetting& setting, std::string_view key) {
        const bool is_left = key.starts_with("left_context");
        if (!is_left && !key.starts_with("right_context")) return false;
        ViewContext context{.is_left = is_left};
        const std::size_t bracket = setting.key.find('[');
        if (bracket != std::string::npos)
            context.menu = setting.key.substr(bracket + 1, setting.key.find(']') - bracket - 1);
        const auto poke = parse_poke(setting.value);
        if (!poke)
            warn(setting, fmt::format("{}: expected VARIABLE=text, found `{}`", setting.key, setting.value));
        else
            context.poke = *poke;
        if (poke) config_.contexts.push_back(std::move(context));
        return true;
    }

    bool take_visibility(const MissionSetting& setting, std::string_view key) {
        const bool labels = key.ends_with("_viewable_labels");
        if (!labels && !key.ends_with("_viewable_all")) return false;
        const std::string kind(key.substr(0, key.find("_viewable")));
        if (!shape_kind(shape_variable_of(kind))) return false;
        bool visible = true;
        flag(setting, visible);
        if (!visible) (labels ? config_.shown.hidden_labels : config_.shown.hidden).push_back(kind);
        return true;
    }

    static std::string shape_variable_of(std::string_view kind) {
        std::string name = "VIEW_";
        for (const char c : kind) name += c == '_' ? c : static_cast<char>(c - 'a' + 'A');
        return name;
    }

    bool take_source(const MissionSetting& setting, std::string_view key) {
        if (key == "scope") {
            for (const std::string_view name : split_outside(setting.value, ','))
                config_.scope.emplace_back(name);
        } else if (key == "node_report_variable") {
            replace_reports(setting.value);
        } else if (key == "node_report_unc") {
            if (truth_in(setting.value).value_or(false)) replace_reports("NODE_REPORT_UNC");
        } else if (key == "tiff_file") {
            config_.image = setting.value;
        } else if (key == "null_tiff") {
            return flag(setting, has_no_image_);
        } else if (key == "op_vertex") {
            take_op_vertex(setting.value);
        } else {
            return false;
        }
        return true;
    }

    /// The first configured variable replaces the usual ones.
    void replace_reports(std::string variable) {
        if (!has_reports_) config_.reports.clear();
        has_reports_ = true;
        config_.reports.push_back(std::move(variable));
    }

    void take_op_vertex(std::string_view text) {
        std::string group;
        std::optional<double> x;
        std::optional<double> y;
        std::string edge = "aqua";
        double size = 1;
        bool looped = false;
        for (const TextField& field : fields_in(text)) {
            if (field.name == "x") x = number_in(field.value);
            if (field.name == "y") y = number_in(field.value);
            if (field.name == "group") group = field.value;
            if (field.name == "lcolor") edge = field.value;
            if (field.name == "lwidth") size = number_in(field.value).value_or(1);
            if (field.name == "looped") looped = truth_in(field.value).value_or(false);
        }
        if (!x || !y) return;
        auto& areas = config_.shown.areas;
        auto area = std::ranges::find(areas, group, &data::MarineShape::label);
        if (area == areas.end())
            area =
                areas.insert(area, data::MarineShape{.key = "area/" + group, .kind = "area", .label = group});
        area->points.push_back({*x, *y});
        area->edge_color = css_text(parse_color(edge).value_or(Color{0, 255, 255}));
        area->edge_size = size;
        area->closed = area->closed || looped;
    }

    static data::MarineButton shown_button(const ViewButton& button) {
        data::MarineButton shown{
            .label = button.label, .color = button.color, .ends_group = button.ends_group};
        for (const PokeText& poke : button.pokes) shown.pokes.push_back(poke.variable + "=" + poke.value);
        return shown;
    }

    void describe() {
        for (ViewButton& button : buttons_)
            if (!button.label.empty() || !button.pokes.empty()) config_.buttons.push_back(std::move(button));
        for (const ViewButton& button : config_.buttons)
            config_.shown.buttons.push_back(shown_button(button));
        for (const ViewButton& action : config_.actions)
            config_.shown.actions.push_back(shown_button(action));
        for (const ViewContext& context : config_.contexts) {
            const std::string side = context.is_left ? "left" : "right";
            auto& all = config_.shown.contexts;
            auto known = std::ranges::find_if(
                all, [&](const auto& one) { return one.side == side && one.menu == context.menu; });
            if (known == all.end()) known = all.insert(known, {.side = side, .menu = context.menu});
            known->pokes.push_back(context.poke.variable + "=" + context.poke.value);
        }
    }

    ViewConfig config_;
    std::array<ViewButton, button_numbers.size()> buttons_;
    bool has_reports_ = false;
    bool has_no_image_ = false;
};

}  // namespace

ViewConfig view_config(const bus::Mission& mission) { return ViewConfigReader().read(mission); }

std::optional<data::MarineBackground> background_edges(std::string_view info, const Geodesy* geodesy) {
    std::map<std::string, double, std::less<>> numbers;
    while (!info.empty()) {
        std::string_view line = info.substr(0, info.find('\n'));
        info.remove_prefix(std::min(line.size() + 1, info.size()));
        line = line.substr(0, line.find("//"));
        const std::size_t equals = line.find('=');
        if (equals == std::string_view::npos) continue;
        if (const auto number = number_in(trimmed(line.substr(equals + 1))))
            numbers[lower(trimmed(line.substr(0, equals)))] = *number;
    }
    const auto has = [&](std::initializer_list<std::string_view> names) {
        return std::ranges::all_of(names, [&](std::string_view name) { return numbers.contains(name); });
    };
    if (has({"x_west", "x_east", "y_south", "y_north"}))
        return data::MarineBackground{.west = numbers["x_west"],
                                      .east = numbers["x_east"],
                                      .south = numbers["y_south"],
                                      .north = numbers["y_north"]};
    if (!geodesy || !has({"lat_north", "lat_south", "lon_east", "lon_west"})) return std::nullopt;
    const Vec2 low = geodesy->local({numbers["lat_south"], numbers["lon_west"]});
    const Vec2 high = geodesy->local({numbers["lat_north"], numbers["lon_east"]});
    return data::MarineBackground{.west = low.x, .east = high.x, .south = low.y, .north = high.y};
}

}  // namespace caribou::marine
