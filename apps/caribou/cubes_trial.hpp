#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "cubes/cube_console.hpp"
#include "cubes/simulated_world.hpp"
#include "loop/loop.hpp"
#include "platform/console_log.hpp"
#include "platform/cube_preference_file.hpp"

namespace caribou::app {

struct CubesOptions {
    std::string radio = "simulated";
    std::string preference;           ///< the file; empty: the one of the user
    std::vector<std::string> doings;  ///< `12s:tap`
    bool real_time = false;
};

/// `12s:tap`: a command at a time after the start.
struct TimedCommand {
    Duration when;
    std::string command;
};
Result<TimedCommand> parse_timed_command(std::string_view text);

/// Cubes of the program's own, on a radio of its own, and everything that happens to them on stdout.
/// Time runs as fast as it can without a real radio, unless real time is asked for.
class CubesTrial {
public:
    static Result<std::unique_ptr<CubesTrial>> make(const CubesOptions& options);
    ~CubesTrial();

    /// Does a command now. What it answers is printed unless it is silent.
    Result<void> command(const std::string& line);
    Result<std::string> silent_command(const std::string& line);
    /// Lets time pass, with the commands of the options that fall into it.
    Result<void> run(Duration time);
    /// Until a cube is connected. Otherwise the error says why none is.
    Result<void> run_until_connected();
    /// From now on, changes of the LEDs are printed.
    void show_leds() { shows_leds_ = true; }
    /// From now on, nothing is printed by itself.
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
    std::vector<TimedCommand> doings_;  ///< by time, the next one first
    std::uint64_t said_transitions_ = 0;
    std::optional<cubes::LedColors> said_leds_;
    bool shows_leds_ = false;
    bool is_silent_ = false;
};

}  // namespace caribou::app
