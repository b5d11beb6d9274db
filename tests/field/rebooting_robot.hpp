#pragma once

#include "field/hanging_robot.hpp"

namespace caribou::tests {

/// A robot that turns without pause by itself, before and after RM5.
class RebootingRobot : public HangingRobot {
protected:
    /// Limit from the request of a full stop to zero ordered.
    static constexpr Duration reboot_stop_limit = std::chrono::milliseconds(100);

    /// Starts robot and station, and connects a person.
    std::unique_ptr<Operator> start_driving() {
        field.start_station();
        const std::string tree = field.scratch.write(
            "turn.json",
            R"({"base": "turn", "behaviors": [{"class": "repeat", "id": "turn", "allowed_charging": true, )"
            R"("children": [{"class": "act", "id": "drive", "allowed_charging": true, )"
            R"("action": {"drive": "SWIV_LEFT_2", "for": "3600s"}}]}]})");
        field.start_robot("DefaultRunMode = 2\nmax_reboots = 100\n[body]\ntrace = \"" + trace.path() +
                          "\"\n[ai]\ntree = \"" + tree + "\"\n");
        return connect(link::RunMode::rm2);
    }
    /// Requests RM5, and a full stop `delay` later: before the robot has ended, while it does not run, or
    /// while it starts. Waits until it runs again, and releases it. Returns how long it moved after the
    /// request of the stop (at most 0 if it was at rest), or nullopt, with the reason in `why`, if any of
    /// this takes too long.
    std::optional<Duration> stop_after(Operator& person, Duration delay, std::string& why) {
        why = "it does not move";
        if (!moves(person)) return std::nullopt;
        person.send("set_run_mode mode=5");
        person.wait(delay);
        const Instant asked = clock.now();
        const auto stopped = person.answer_to(person.send("full_stop"), limit);
        why = "full_stop: " + (stopped ? station::to_string(*stopped) : "no answer");
        if (!stopped || stopped->refusal) return std::nullopt;
        const auto runs = [](const station::RobotPicture& rover) {
            return rover.is_in(link::RunMode::rm2) && rover.status.mode == data::StationMode::run1;
        };
        why = "it does not run again";
        if (!person.sees(runs, limit)) return std::nullopt;
        person.wait(std::chrono::milliseconds(500));
        const Duration moved = moved_until() - asked;
        why = "release_stop: " + person.release(limit);
        if (!why.contains("DONE")) return std::nullopt;
        return moved;
    }

private:
    /// Returns until when the wheels were ordered to turn.
    Instant moved_until() {
        trace.take();
        Instant until{};
        bool moves = false;
        for (const OrderTrace::Order& order : trace.orders()) {
            if (moves) until = order.at;
            moves = order.moves;
        }
        return moves ? clock.now() : until;
    }
};

}  // namespace caribou::tests
