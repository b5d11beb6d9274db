#pragma once

#include <algorithm>
#include <fstream>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "child/program.hpp"
#include "field/field.hpp"
#include "field/operator.hpp"
#include "field/order_trace.hpp"
#include "platform/system_clock.hpp"

namespace caribou::tests {

/// A robot and its station as separate processes of the program, for tests in which a thread of the robot
/// hangs.
class HangingRobot : public testing::Test {
protected:
    void start(int mode) {
        field.start_station();
        start_robot(mode);
    }
    void start_robot(int mode) {
        field.start_robot("DefaultRunMode = " + std::to_string(mode) + "\n[body]\ntrace = \"" + trace.path() +
                          "\"\n");
    }
    /// Connects a person, and releases the stop of the first start.
    std::unique_ptr<Operator> connect(link::RunMode mode) {
        auto person = std::make_unique<Operator>(field.station_at, field.token());
        EXPECT_TRUE(person->sees(
            [&](const auto& rover) {
                return rover.status.mode == data::StationMode::run1 && rover.is_in(mode);
            },
            limit));
        EXPECT_EQ(answer(*person, "release_stop"), "DONE");
        return person;
    }
    /// Limit from the hang to zero ordered: 1 s of silence, and the intervals at which it is checked.
    static constexpr Duration stop_limit = std::chrono::milliseconds(1300);

    static std::string answer(Operator& person, const std::string& command) {
        const auto answer = person.answer_to(person.send(command), limit);
        return answer ? station::to_string(*answer) : "no answer";
    }
    bool moves(Operator& person) {
        return person.sees([&](const auto&) { return trace.take(), trace.latest().moves; }, limit);
    }
    /// Returns whether it comes to rest, and how long after `since`.
    std::optional<Duration> time_to_rest(Operator& person, Instant since) {
        if (!person.sees([&](const auto&) { return trace.take(), !trace.latest().moves; },
                         std::chrono::seconds(10)))
            return std::nullopt;
        return trace.latest().at - since;
    }
    std::string text_of(const std::string& file) const {
        std::stringstream text;
        text << std::ifstream(field.scratch / file).rdbuf();
        return text.str();
    }
    static bool has_fault(const station::RobotPicture& rover, std::string_view fault) {
        return rover.status.robot &&
               std::ranges::find(rover.status.robot->faults, fault) != rover.status.robot->faults.end();
    }
    static bool is_silent(const station::RobotPicture& rover) { return has_fault(rover, "main is silent"); }

    Field field;
    OrderTrace trace{(field.scratch / "orders").string()};
    SystemClock clock;
};

}  // namespace caribou::tests
