#pragma once

#include <functional>
#include <list>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "loop/loop.hpp"

namespace caribou::station {

/// Printed by a supervised station, followed by the robot's name, when a person requests a restart of the
/// robot.
inline constexpr std::string_view start_again_words = "start again: ";

/// Returns the line by which a supervisor reports what became of such a request: `started: NAME: TEXT` or
/// `not started: NAME: REASON`.
std::string start_report(std::string_view robot, const Result<std::string>& outcome);

/// Requests of a station to the supervisor that owns the processes of its robots. Each ends with the report
/// of the supervisor or, if that does not come in time, with an error.
class StartRequests {
public:
    /// Receives a text for people about what was done, or why nothing was started.
    using OnDone = std::function<void(const Result<std::string>&)>;

    /// `print` passes a line to the supervisor.
    StartRequests(Loop& loop, std::function<void(const std::string& line)> print)
        : loop_(loop), print_(std::move(print)) {}

    void request(const std::string& robot, OnDone on_done);
    /// Processes a line of the supervisor. Others than start_report() returns are ignored.
    void take(std::string_view line);

    /// Time for a report: longer than a supervisor waits before it kills a program that hangs.
    static constexpr Duration limit = std::chrono::seconds(10);

private:
    struct Pending {
        std::string robot;
        OnDone on_done;
        std::unique_ptr<Timer> late;
    };

    void finish(std::string_view robot, const Result<std::string>& outcome);

    Loop& loop_;
    std::function<void(const std::string& line)> print_;
    std::list<Pending> pending_;
};

}  // namespace caribou::station
