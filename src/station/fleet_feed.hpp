#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace caribou::station {

/// What is told of a robot, in parts that change at different paces.
enum class Section : std::uint8_t {
    status,  ///< modes, battery, faults, who drives
    motion,  ///< pose, wheels, and why it moves so
    route,   ///< what the autopilot is about
    scan,    ///< ranges and the ages of sensors: only for who asked for this robot
};
inline constexpr std::size_t section_count = 4;
std::string_view to_string(Section section);

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
        std::map<std::string, std::uint64_t, std::less<>> watched{};  ///< robots whose scans are told, so far
    };

    /// Something of that robot may have changed.
    void touch(const std::string& robot, Section section);
    /// Replaces the robots whose scans a watcher gets.
    static void watch(Cursor& cursor, const std::set<std::string>& robots);
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
