#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "adapters/bluez/cube_preference_file.hpp"
#include "base/result.hpp"
#include "cubes/cube_console.hpp"
#include "cubes/simulated_world.hpp"
#include "loop/loop.hpp"
#include "platform/console_log.hpp"

namespace caribou::app {

struct CubesOptions {
    std::string radio = "simulated";
    std::string preference;           ///< file; empty: the user's default
    std::vector<std::string> doings;  ///< `12s:tap`
    bool real_time = false;
};

/// Parses `12s:tap`: a command and its time after the start.
struct TimedCommand {
    Duration when;
    std::string command;
};
Result<TimedCommand> parse_timed_command(std::string_view text);

/// A cube system with its own radio, which prints all events to stdout. Without a real radio time runs as
/// fast as possible, unless real time is requested.
class CubesTrial {
public:
    static Result<std::unique_ptr<CubesTrial>> make(const CubesOptions& options);
    ~CubesTrial();

    /// Executes a command now. Prints its answer unless silenced.
    Result<void> command(const std::string& line);
    Result<std::string> silent_command(const std::string& line);
    /// Lets time pass, and executes the timed commands of the options.
    Result<void> run(Duration time);
    /// Runs until a cube is connected. The error contains the reason why none is.
    Result<void> run_until_connected();
    /// Prints changes of the LEDs from now on.
    void show_leds() { shows_leds_ = true; }
    /// Suppresses all output of events from now on.
    void be_silent() { is_silent_ = true; }

private:
    CubesTrial() = default;

    void build(const CubesOptions& options);
    void step(Duration time);
    void say(const std::string& text);
    void say_at(Instant when, const std::string& text) const;
    void say_transitions();
    void say_leds();
    Result<void> do_what_is_due();

    std::unique_ptr<Loop> loop_;
    std::move_only_function<void(Duration)> advance_;
    Instant start_{};
    std::unique_ptr<ConsoleLog> log_;
    std::unique_ptr<cubes::Radio> radio_;
    std::unique_ptr<cubes::SimulatedWorld> world_;
    std::unique_ptr<cubes::PreferenceStore> preferences_;
    std::unique_ptr<cubes::CubeSystem> cubes_;
    std::unique_ptr<cubes::CubeConsole> console_;
    std::vector<TimedCommand> doings_;  ///< sorted by time
    std::uint64_t said_transitions_ = 0;
    std::optional<cubes::LedColors> said_leds_;
    bool shows_leds_ = false;
    bool is_silent_ = false;
};

}  // namespace caribou::app
