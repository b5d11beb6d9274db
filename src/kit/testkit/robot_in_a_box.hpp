#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/geometry.hpp"
#include "base/result.hpp"
#include "behavior/value.hpp"
#include "cubes/light_program.hpp"
#include "loop/time.hpp"
#include "robot/own_classes.hpp"

namespace caribou {

/// A simulated robot with its behaviors in a room, in virtual time, for tests: body, propulsion, telemetry,
/// navigation and cubes are those of `caribou robot`, without threads, processes and links. It is in RM2, and
/// the same calls give the same results on every machine.
class RobotInABox {
public:
    /// A program with behaviors, actions and conditions in this process, such as those of a test in Python.
    struct Program {
        std::string hello{};  ///< its first line (docs/formats/behavior-program.md)
        /// Returns what it prints then, with line ends: for a line of the robot, or an empty one every 40 ms.
        std::function<std::string(std::string_view line)> exchange{};
    };
    struct Options {
        /// A world file (docs/formats/world.md). Empty: a room of 6 m by 6 m with one cube, 1 m ahead of the
        /// robot, which is in the middle.
        std::string room{};
        robot::AddOwnClasses own{};  ///< classes of the program; may be empty
        /// Placeholders, as for behavior::parse_stand_in(): `go_to=succeed 2s,fail`.
        std::vector<std::string> stand_ins{};
        std::optional<Program> program{};      ///< as the key `ai.programs`
        std::vector<std::string> bus_facts{};  ///< as the key `ai.bus_facts`
        double rate = 10;                      ///< ticks and rounds of telemetry per second
        std::uint64_t seed = 1;
    };

    /// Fails with all errors of the tree, the room, the program and the stand-ins.
    static Result<RobotInABox> make(std::string_view tree, Options options);
    static Result<RobotInABox> make(std::string_view tree) { return make(tree, Options()); }
    RobotInABox(RobotInABox&&) noexcept;
    RobotInABox& operator=(RobotInABox&&) noexcept;
    ~RobotInABox();

    void advance(Duration time);
    /// Advances until the condition holds, which is looked at after each tick. Returns whether it did.
    bool advance_until(const std::function<bool()>& condition, Duration limit);
    /// Returns the time since the start.
    Duration time() const;

    /// Returns the ids of the active behaviors, base first.
    std::vector<std::string> stack() const;
    bool is_active(std::string_view id) const;
    /// Return how often a behavior was activated, and has ended.
    std::size_t times_activated(std::string_view id) const;
    std::size_t times_succeeded(std::string_view id) const;
    std::size_t times_failed(std::string_view id) const;
    /// Returns why the latest failure of a behavior was one; empty if it never failed.
    std::string failure(std::string_view id) const;
    /// Fail, with the near match, if the tree has no behavior of that id, or neither the robot nor the tree
    /// has that fact. The functions above and below take an unknown name as one that never was active or set.
    Result<void> knows_behavior(std::string_view id) const;
    Result<void> knows_fact(std::string_view name) const;
    /// Returns the answer of the console of behaviors, such as `why wink` (docs/behaviors.md).
    std::string ask(std::string_view line);
    /// Returns the log of the robot.
    const std::vector<std::string>& log() const;

    std::optional<behavior::Value> fact(std::string_view name) const;
    /// Sets a fact. The robot sets its own again in the next tick: set those by the world.
    void set_fact(std::string_view name, behavior::Value value);
    /// A variable of the bus that is in `bus_facts` is written.
    void hear_bus(std::string_view variable, behavior::Value value);
    /// Returns what the behaviors have written to the bus, in order.
    const std::vector<std::pair<std::string, behavior::Value>>& published() const;

    /// Returns the true pose of the robot in the room.
    Pose pose() const;
    /// Sets the charge of its battery, 0 to 100 %.
    void set_battery(double percent);
    /// Lifts it from the floor, or puts it down.
    void lift(bool lifted);
    std::size_t cube_count() const;
    /// Returns the colors of the lights of a cube. Throws std::out_of_range if there is none of that number.
    cubes::LedColors cube_lights(std::size_t cube = 0) const;
    void tap_cube(std::size_t cube = 0);

private:
    struct Inside;
    explicit RobotInABox(std::unique_ptr<Inside> inside);

    std::unique_ptr<Inside> inside_;
};

}  // namespace caribou
