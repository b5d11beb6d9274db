#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "bus/supervisor.hpp"
#include "loop/address.hpp"
#include "platform/event_loop.hpp"

namespace caribou::app {

/// Programs that are started and stopped together, whose addresses are parsed from their first output. From
/// show() on, their lines are printed with their names.
class ProgramGroup final : public bus::LaunchEvents {
public:
    /// What happens when one of the programs exits by itself: the loop is stopped, or the others continue.
    enum class WhenOneEnds : std::uint8_t { stop, go_on };

    ProgramGroup(EventLoop& loop, Processes& processes, std::vector<bus::LaunchProgram> programs,
                 WhenOneEnds then = WhenOneEnds::stop);

    void start() { supervisor_.start(); }
    void show() { shows_ = true; }
    /// Passes all further lines to `take`, which returns whether it has handled the line.
    void on_said(std::function<bool(std::string_view line)> take) { take_ = std::move(take); }
    /// Starts the program of that name again, as Supervisor::start_again().
    void start_again(std::string_view name, bus::Supervisor::OnStarted on_started);
    /// Writes a line to the standard input of the program of that name, if it `reads_input`.
    void write(std::string_view name, std::string_view line);
    /// Suppresses all further output, because the programs are about to be stopped.
    void hush() { ending_ = true; }
    /// Returns the address after the last occurrence of these words in the output, or nullopt.
    std::optional<Address> address_after(std::string_view words) const;
    const std::vector<std::string>& said() const { return said_; }
    /// Returns whether one of them has exited by itself, which stopped the loop.
    bool broken() const { return broken_; }

    /// Stops all programs and waits for their end. Returns the names of those that did not exit properly.
    std::vector<std::string> end();
    /// Kills all programs, so that end() returns at once.
    void kill();

private:
    /// Returns the number of programs if there is none of that name.
    std::size_t index_of(std::string_view name) const;
    void on_line(std::size_t program, std::string_view line) override;
    void on_note(std::size_t program, std::string_view note) override;
    void on_over() override {}

    EventLoop& loop_;
    std::vector<std::string> said_;  ///< output before show()
    bool shows_ = false;
    bool ending_ = false;
    bool broken_ = false;
    WhenOneEnds then_;
    std::set<std::string> ended_;  ///< exited by themselves
    std::function<bool(std::string_view)> take_;
    bus::Supervisor supervisor_;
};

}  // namespace caribou::app
