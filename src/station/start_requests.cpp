#include "station/start_requests.hpp"

#include <utility>

#include <fmt/format.h>

#include "loop/duration_text.hpp"

namespace caribou::station {
namespace {

constexpr std::string_view started_words = "started: ";
constexpr std::string_view not_started_words = "not started: ";

}  // namespace

std::string start_report(std::string_view robot, const Result<std::string>& outcome) {
    return outcome ? fmt::format("{}{}: {}", started_words, robot, *outcome)
                   : fmt::format("{}{}: {}", not_started_words, robot, outcome.error().message);
}

void StartRequests::request(const std::string& robot, OnDone on_done) {
    pending_.push_back(
        {robot, std::move(on_done), loop_.make_timer([this, robot] {
             finish(robot, fail(Code::timed_out, fmt::format("the supervisor of the robot's process did not "
                                                             "report a result within {}",
                                                             duration_text(limit))));
         })});
    pending_.back().late->arm(loop_.clock().now() + limit);
    print_(fmt::format("{}{}", start_again_words, robot));
}

void StartRequests::take(std::string_view line) {
    const bool is_started = line.starts_with(started_words);
    if (!is_started && !line.starts_with(not_started_words)) return;
    line.remove_prefix((is_started ? started_words : not_started_words).size());
    // The name of a robot may contain anything: one that was requested is searched.
    for (const Pending& each : pending_) {
        const std::string begin = each.robot + ": ";
        if (!line.starts_with(begin)) continue;
        const std::string text(line.substr(begin.size()));
        const std::string robot = each.robot;
        return finish(robot, is_started ? Result<std::string>(text) : fail(Code::unavailable, text));
    }
}

void StartRequests::finish(std::string_view robot, const Result<std::string>& outcome) {
    // A callback may send the next request.
    std::list<Pending> done;
    for (auto each = pending_.begin(); each != pending_.end();) {
        const auto next = std::next(each);
        if (each->robot == robot) done.splice(done.end(), pending_, each);
        each = next;
    }
    for (Pending& each : done) {
        each.late->cancel();
        each.on_done(outcome);
    }
    // This may run in the handler of one of the timers.
    loop_.post([gone = std::make_shared<std::list<Pending>>(std::move(done))] {});
}

}  // namespace caribou::station
