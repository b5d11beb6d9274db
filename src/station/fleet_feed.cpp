#include "station/fleet_feed.hpp"

#include <algorithm>
#include <iterator>
#include <ranges>
#include <utility>

#include <fmt/format.h>

#include "base/json_text.hpp"

namespace caribou::station {
namespace {

std::string picture(bool full, double now, std::string_view replay, std::string_view robots) {
    return fmt::format(R"({{"type":"state","full":{},"now":{}{},"robots":{{{}}}}})", full, json_fixed(now, 3),
                       replay.empty() ? "" : fmt::format(R"(,"replay":{})", json_quoted(replay)), robots);
}

}  // namespace

std::string_view to_string(Section section) {
    constexpr std::array<std::string_view, section_count> names{
        "status",    "motion", "route", "scan",   "map",    "camera", "plan",
        "behaviors", "cubes",  "bus",   "topics", "health", "changes"};
    return names.at(static_cast<std::size_t>(section));
}

std::optional<Section> section_named(std::string_view name) {
    for (std::size_t i = 0; i < section_count; ++i)
        if (to_string(static_cast<Section>(i)) == name) return static_cast<Section>(i);
    return std::nullopt;
}

std::optional<views::View> view_of(Section section) {
    if (section == Section::changes) return views::View::health;
    return views::view_from(to_string(section));
}

std::optional<Section> section_of(views::View view) {
    for (std::size_t i = 0; i < section_count; ++i)
        if (view_of(static_cast<Section>(i)) == view) return static_cast<Section>(i);
    return std::nullopt;
}

void FleetFeed::touch(const std::string& robot, Section section) {
    robots_[robot][static_cast<std::size_t>(section)].dirty = true;
}

void FleetFeed::watch(Cursor& cursor, const std::set<std::string>& robots,
                      const std::set<views::View>& shown) {
    std::erase_if(cursor.watched, [&](const auto& entry) { return !robots.contains(entry.first); });
    for (const std::string& robot : robots) {
        auto& seen = cursor.watched[robot];
        std::erase_if(seen, [&](const auto& entry) { return !shown.contains(*view_of(entry.first)); });
        for (const views::View view : shown)
            if (const auto section = section_of(view)) seen.try_emplace(*section, 0);
        if (shown.contains(views::View::health)) seen.try_emplace(Section::changes, 0);
    }
}

const FleetFeed::Part& FleetFeed::fresh(const std::string& robot, Section section, Parts& parts) {
    Part& part = parts[static_cast<std::size_t>(section)];
    if (std::exchange(part.dirty, false)) {
        std::string text = write_(robot, section);
        if (text != part.text) {
            part.text = std::move(text);
            part.version = ++version_;
        }
    }
    return part;
}

std::string FleetFeed::next(Cursor& cursor, double now) {
    std::string robots;
    for (auto& [name, parts] : robots_) {
        std::string sections;
        const auto add = [&](Section section, std::uint64_t& seen) {
            const Part& part = fresh(name, section, parts);
            if (part.version <= seen) return;
            fmt::format_to(std::back_inserter(sections), "{}\"{}\":{}", sections.empty() ? "" : ",",
                           to_string(section), part.text.empty() ? "null" : part.text);
        };
        for (const Section section : {Section::status, Section::motion, Section::route})
            add(section, cursor.seen);
        if (const auto watched = cursor.watched.find(name); watched != cursor.watched.end()) {
            for (auto& [section, seen] : watched->second) {
                add(section, seen);
                seen = version_;
            }
        }
        if (!sections.empty())
            fmt::format_to(std::back_inserter(robots), "{}{}:{{{}}}", robots.empty() ? "" : ",",
                           json_quoted(name), sections);
    }
    cursor.seen = version_;
    const bool first = !std::exchange(cursor.started, true);
    if (robots.empty() && !first) return {};
    return picture(first, now, first ? replay_ : "", robots);
}

bool FleetFeed::may_have_news(const Cursor& cursor, Section section) const {
    return std::ranges::any_of(cursor.watched, [&](const auto& watched) {
        const auto seen = watched.second.find(section);
        const auto robot = robots_.find(watched.first);
        if (seen == watched.second.end() || robot == robots_.end()) return false;
        const Part& part = robot->second[static_cast<std::size_t>(section)];
        return part.dirty || part.version > seen->second;
    });
}

std::set<std::string> FleetFeed::robots() const {
    const auto names = robots_ | std::views::keys;
    return {names.begin(), names.end()};
}

std::string FleetFeed::only(Section section, double now) {
    std::string robots;
    for (auto& [name, parts] : robots_)
        if (const Part& part = fresh(name, section, parts); !part.text.empty())
            fmt::format_to(std::back_inserter(robots), R"({}{}:{{"{}":{}}})", robots.empty() ? "" : ",",
                           json_quoted(name), to_string(section), part.text);
    return picture(false, now, "", robots);
}

std::string FleetFeed::nothing_new(double now) { return picture(false, now, "", ""); }

}  // namespace caribou::station
