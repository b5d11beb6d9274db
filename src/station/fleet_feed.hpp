#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "views/view.hpp"

namespace caribou::station {

/// What is told of a robot, in parts that change at different paces.
enum class Section : std::uint8_t {
    status,  ///< modes, battery, faults, who drives
    motion,  ///< pose, wheels, and why it moves so
    route,   ///< what the autopilot is about
    // From here on only for who asked for it: the views of views/view.hpp.
    scan,
    map,
    behaviors,
    cubes,
    bus,
    topics,
    health,
};
inline constexpr std::size_t section_count = 10;
std::string_view to_string(Section section);
/// None: everybody is told of it.
std::optional<views::View> view_of(Section section);
/// None: it is no section of its own.
std::optional<Section> section_of(views::View view);

/// The state of all robots for any number of watchers: everything at first, then what has changed since
/// the last time. Whatever happens between two looks of a watcher costs it one look, so that a slow one
/// gets less, and nothing waits for it.
class FleetFeed {
public:
    /// The section of a robot as JSON. Empty: there is none.
    using Writer = std::function<std::string(const std::string& robot, Section section)>;
    explicit FleetFeed(Writer write) : write_(std::move(write)) {}

    /// How far a watcher has seen.
    struct Cursor {
        bool started = false;
        std::uint64_t seen = 0;
        /// What else is told of which robots, and how far.
        std::map<std::string, std::map<Section, std::uint64_t>, std::less<>> watched{};
    };

    /// Something of that robot may have changed.
    void touch(const std::string& robot, Section section);
    /// Replaces the robots of which a watcher gets these views, besides what everybody gets.
    static void watch(Cursor& cursor, const std::set<std::string>& robots,
                      const std::set<views::View>& shown);
    /// What the watcher has not seen, as a message of docs/formats/station-api.md. Empty: nothing.
    std::string next(Cursor& cursor, double now);
    /// The same, when there is nothing.
    static std::string nothing_new(double now);

private:
    struct Part {
        std::string text{};
        std::uint64_t version = 0;  ///< of its last change
        bool dirty = false;
    };
    using Parts = std::array<Part, section_count>;

    const Part& fresh(const std::string& robot, Section section, Parts& parts);

    Writer write_;
    std::map<std::string, Parts, std::less<>> robots_;
    std::uint64_t version_ = 0;
};

}  // namespace caribou::station
