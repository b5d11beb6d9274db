#include "kit/robot/robot_maps.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include <fmt/format.h>

#include "adapters/robot_files/map_folder.hpp"
#include "base/path_name.hpp"
#include "base/suggestion.hpp"
#include "base/zone.hpp"
#include "kit/robot/robot_local.hpp"
#include "kit/robot/robot_state.hpp"
#include "map/ros_map.hpp"
#include "map/stored_map.hpp"
#include "platform/text_file.hpp"
#include "robot/map_desk.hpp"

namespace caribou::app {
namespace {

Exit complain_about_map(const std::string& why, Exit with = Exit::failed) {
    fmt::print(stderr, "caribou robot map: error: {}\n", why);
    return with;
}

Result<std::string> stored_text(MapFolder& folder, const std::string& name) {
    auto text = folder.load(name);
    if (text || text.error().code != Code::not_found) return text;
    const auto names = folder.names();
    return fail(Code::not_found, fmt::format("there is no map `{}`{}", name,
                                             names && !names->empty() ? instead_of(name, *names) : ""));
}

Result<map::StoredMap> stored_map(MapFolder& folder, const std::string& name) {
    const auto text = stored_text(folder, name);
    if (!text) return fail(text.error());
    auto stored = map::stored_map_from(*text);
    if (!stored)
        return fail(stored.error().code, fmt::format("the map `{}`: {}", name, stored.error().message));
    return stored;
}

std::string map_description(const map::StoredMap& stored) {
    const map::GridFrame& frame = stored.grid.frame();
    const auto counted = [](std::size_t count, std::string_view what) {
        return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
    };
    return fmt::format("{:.1f} x {:.1f} m, cells of {:.2f} m, {}{}{}", frame.columns * frame.cell,
                       frame.rows * frame.cell, frame.cell,
                       stored.zones.empty() ? "" : counted(stored.zones.size(), "zone") + ", ",
                       counted(stored.places.size(), "place"), stored.dock ? " and the dock" : "");
}

}  // namespace

Result<void> check_stored_map(const robot::RobotConfig& config) {
    if (config.map_load.empty()) return {};
    MapFolder folder(map_folder(config));
    const auto stored = stored_map(folder, config.map_load);
    if (stored) return {};
    return fail(stored.error().code, fmt::format("{} in {}", stored.error().message, map_folder(config)));
}

void RobotMaps::add_to(CLI::App& parser, std::string& config_path) {
    parser_ = parser.add_subcommand("map", "Save, load and exchange the maps of a robot on this machine");
    parser_->require_subcommand(1);
    const auto named = [&](const char* verb, const char* about, const char* what) {
        CLI::App* const made = add_verb(verb, about, config_path);
        made->add_option("NAME", name_, what)->required();
        return made;
    };
    const auto posed = [&](CLI::App* verb, const char* what) {
        verb->add_option("--at", at_, what)->option_text("X,Y,DEGREES")->check([](const std::string& text) {
            const auto pose = robot::pose_from(text);
            return pose ? "" : pose.error().message;
        });
    };
    named("save", "Store the present map of the running robot", "Name of the map");
    posed(named("load", "Replace the map of the running robot by a stored one", "Name of the map"),
          "Where the robot is on it, in meters and degrees; without it, on its dock");
    posed(named("place", "Name a place on the present map of the running robot", "Name of the place"),
          "The place; without it, where the robot is");
    named("unplace", "Forget a place of the present map of the running robot", "Name of the place");
    add_verb("places", "List the places of the present map of the running robot", config_path);
    CLI::App* const zone =
        named("zone", "Draw a zone on the present map of the running robot", "Name of the zone");
    zone->add_option("--keep-out", corners_, "Corners of a polygon that it stays out of; two are a rectangle")
        ->expected(2, static_cast<int>(Zone::max_corners))
        ->option_text("X,Y ...");
    zone->add_option("--slow", corners_, "Corners of a polygon in which it is slow; two are a rectangle")
        ->expected(2, static_cast<int>(Zone::max_corners))
        ->option_text("X,Y ...")
        ->excludes("--keep-out");
    zone->add_option("--speed", speed_, "Limit of its speed there, in m/s")->needs("--slow");
    zone->get_option("--slow")->needs("--speed");
    named("unzone", "Forget a zone of the present map of the running robot", "Name of the zone");
    add_verb("zones", "List the zones of the present map of the running robot", config_path);
    add_verb("list", "List the stored maps", config_path);
    named("remove", "Delete a stored map", "Name of the map");
    named("export", "Write a stored map as NAME.pgm and NAME.yaml, as map_server of ROS reads them",
          "Name of the map")
        ->add_option("FOLDER", folder_, "Folder for the two files")
        ->capture_default_str();
    CLI::App* const import = add_verb("import", "Store a map of ROS under a name", config_path);
    import->add_option("FILE", file_, "The .yaml file, which names the image")->required();
    import->add_option("NAME", name_, "Name of the map; that of the file if not given");
    parser_->footer(
        "Examples:\n"
        "  caribou robot map save flat --config robot.toml\n"
        "  caribou robot map load flat --at 1.5,2,90 --config robot.toml\n"
        "  caribou robot map place kitchen --config robot.toml\n"
        "  caribou robot map zone stairs --keep-out 2,1 3.5,2 --config robot.toml\n"
        "  caribou robot map export flat . --config robot.toml\n"
        "See docs/maps.md.");
}

CLI::App* RobotMaps::add_verb(const std::string& name, const std::string& about, std::string& config_path) {
    CLI::App* const verb = parser_->add_subcommand(name, about);
    verb->add_option("-c,--config", config_path, "The configuration of the robot");
    verb->callback([this, name] { verb_ = name; });
    return verb;
}

Exit RobotMaps::run(const robot::RobotConfig& config) const {
    if (verb_ == "list") return list(config);
    if (verb_ == "remove") return remove(config);
    if (verb_ == "export") return export_map(config);
    if (verb_ == "import") return import_map(config);
    return ask(config);
}

Exit RobotMaps::ask(const robot::RobotConfig& config) const {
    std::string line = verb_;
    if (!name_.empty()) line += ' ' + name_;
    if (!at_.empty()) line += " at " + at_;
    if (verb_ == "zone") line += speed_.empty() ? " keep_out" : " speed " + speed_;
    for (const std::string& corner : corners_) line += ' ' + corner;
    const auto answer = ask_about_map(config, line);
    if (!answer) return complain_about_map(answer.error().message);
    fmt::print("{}\n", *answer);
    return Exit::ok;
}

Exit RobotMaps::list(const robot::RobotConfig& config) const {
    MapFolder folder(map_folder(config));
    const auto names = folder.names();
    if (!names) return complain_about_map(names.error().message);
    if (names->empty()) return fmt::print("{} has no stored maps\n", config.name), Exit::ok;
    for (const std::string& name : *names) {
        const auto stored = stored_map(folder, name);
        fmt::print("{:<16} {}\n", name, stored ? map_description(*stored) : stored.error().message);
    }
    return Exit::ok;
}

Exit RobotMaps::remove(const robot::RobotConfig& config) const {
    MapFolder folder(map_folder(config));
    if (const auto there = stored_text(folder, name_); !there && there.error().code == Code::not_found)
        return complain_about_map(there.error().message);
    if (const auto removed = folder.remove(name_); !removed)
        return complain_about_map(removed.error().message);
    fmt::print("{} is deleted\n", name_);
    return Exit::ok;
}

Exit RobotMaps::export_map(const robot::RobotConfig& config) const {
    MapFolder folder(map_folder(config));
    const auto stored = stored_map(folder, name_);
    if (!stored) return complain_about_map(stored.error().message);
    const std::string path = (std::filesystem::path(folder_) / name_).string();
    const map::GridFrame& frame = stored->grid.frame();
    const map::RosMapInfo info{.image = name_ + ".pgm", .resolution = frame.cell, .low = frame.low};
    for (const auto& [suffix, text] :
         {std::pair(".pgm", map::to_pgm(stored->grid)), std::pair(".yaml", to_string(info))})
        if (const auto written = write_text_file(path + suffix, text); !written)
            return complain_about_map(written.error().message);
    fmt::print("{0}.pgm and {0}.yaml are written: {1}\n", path, map_description(*stored));
    return Exit::ok;
}

Exit RobotMaps::import_map(const robot::RobotConfig& config) const {
    const std::filesystem::path file(file_);
    const std::string name = name_.empty() ? file.stem().string() : name_;
    if (const auto good = check_path_name(name); !good)
        return complain_about_map(fmt::format("{}; give a NAME after the file", good.error().message),
                                  Exit::usage);
    MapFolder folder(map_folder(config));
    if (folder.load(name))
        return complain_about_map(
            fmt::format("there is a map `{0}` already; `caribou robot map remove {0}` deletes it", name));
    const auto yaml = read_text_file(file_, 64_KiB);
    if (!yaml) return complain_about_map(yaml.error().message);
    const auto info = map::ros_map_info_from(*yaml, file_);
    if (!info) return complain_about_map(info.error().message);
    const std::string image = (file.parent_path() / info->image).string();
    const auto pgm = read_text_file(image, 64_MiB);
    if (!pgm) return complain_about_map(pgm.error().message);
    auto grid = map::grid_from_pgm(*pgm, *info, image);
    if (!grid) return complain_about_map(grid.error().message);
    const map::StoredMap stored{.grid = std::move(*grid)};
    const auto text = map::file_text_of(stored);
    if (!text) return complain_about_map(text.error().message);
    if (const auto saved = folder.save(name, *text); !saved) return complain_about_map(saved.error().message);
    fmt::print("{} is stored: {}\n", name, map_description(stored));
    return Exit::ok;
}

}  // namespace caribou::app
