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

/// Programs that start and end together, whose addresses are read from what they say at first. From show()
/// on, their lines are printed under their names.
class ProgramGroup final : public bus::LaunchEvents {
public:
    /// What happens when one of the programs ends by itself: the loop is stopped, or the others go on.
    enum class WhenOneEnds : std::uint8_t { stop, go_on };

    ProgramGroup(EventLoop& loop, Processes& processes, std::vector<bus::LaunchProgram> programs,
                 WhenOneEnds then = WhenOneEnds::stop);

    void start() { supervisor_.start(); }
    void show() { shows_ = true; }
    /// Passes every line that follows to `take`, which returns whether it has dealt with it.
    void on_said(std::function<bool(std::string_view line)> take) { take_ = std::move(take); }
    /// Starts the program of that name again. Returns false if there is none, or it has not ended.
    bool start_again(std::string_view name);
    /// Everything is about to end: from now on nobody cares what they say.
    void hush() { ending_ = true; }
    /// The address after the last of these words, once somebody has said it.
    std::optional<Address> address_after(std::string_view words) const;
    const std::vector<std::string>& said() const { return said_; }
    /// One of them has ended, unasked: the loop was stopped.
    bool broken() const { return broken_; }

    /// Ends them all, and waits for it. Returns the names of those that did not end well when asked to.
    std::vector<std::string> end();

private:
    void on_line(std::size_t program, std::string_view line) override;
    void on_note(std::size_t program, std::string_view note) override;
    void on_over() override {}

    EventLoop& loop_;
    std::vector<std::string> said_;  ///< before show()
    bool shows_ = false;
    bool ending_ = false;
    bool broken_ = false;
    WhenOneEnds then_;
    std::set<std::string> ended_;  ///< by themselves
    std::function<bool(std::string_view)> take_;
    bus::Supervisor supervisor_;
};

}  // namespace caribou::app
