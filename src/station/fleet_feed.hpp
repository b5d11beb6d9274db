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

/// The state of a robot is sent in sections that change at different rates.
enum class Section : std::uint8_t {
    status,  ///< modes, battery, faults, lease
    motion,  ///< pose, wheels, and the reason of the movement
    route,   ///< state of the autopilot
    // The following are sent on request only: the views of views/view.hpp.
    scan,
    map,
    camera,
    plan,
    behaviors,
    cubes,
    bus,
    topics,
    health,
    changes,  ///< of modes, as the station has seen them; sent with `health`
};
inline constexpr std::size_t section_count = 13;
std::string_view to_string(Section section);
/// Returns the section of that name, or nullopt if there is none.
std::optional<Section> section_named(std::string_view name);
/// Returns the view whose watchers receive the section, or nullopt if all watchers do.
std::optional<views::View> view_of(Section section);
/// Returns nullopt if the view is not a section of its own.
std::optional<Section> section_of(views::View view);

/// Distributes the state of all robots to any number of watchers: everything at first, then the changes since
/// the last time. Changes between two reads of a watcher are combined, so that a slow watcher receives less,
/// and delays no other.
class FleetFeed {
public:
    /// Returns a section of a robot as JSON; empty if there is none.
    using Writer = std::function<std::string(const std::string& robot, Section section)>;
    /// `replay` is the name of the recording that the state comes from; empty if robots are live.
    explicit FleetFeed(Writer write, std::string replay = {})
        : write_(std::move(write)), replay_(std::move(replay)) {}

    /// The versions that a watcher has received.
    struct Cursor {
        bool started = false;
        std::uint64_t seen = 0;
        /// Watched robots, and the versions of their views.
        std::map<std::string, std::map<Section, std::uint64_t>, std::less<>> watched{};
    };

    /// Must be called when the section of that robot may have changed.
    void touch(const std::string& robot, Section section);
    /// Replaces the robots whose views a watcher receives, in addition to what all watchers receive.
    static void watch(Cursor& cursor, const std::set<std::string>& robots,
                      const std::set<views::View>& shown);
    /// Returns the changes that the watcher has not received, as a message of docs/formats/station-api.md;
    /// empty if there are none.
    std::string next(Cursor& cursor, double now);
    /// Returns whether a watched robot's section may have changed since the watcher received it.
    bool may_have_news(const Cursor& cursor, Section section) const;
    /// Returns the names of all robots.
    std::set<std::string> robots() const;
    /// Returns a message with only that section of all robots, whatever watchers have received.
    std::string only(Section section, double now);
    /// Returns the message for no changes.
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
    std::string replay_;
    std::map<std::string, Parts, std::less<>> robots_;
    std::uint64_t version_ = 0;
};

}  // namespace caribou::station
