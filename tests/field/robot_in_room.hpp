#pragma once

#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "field/field.hpp"
#include "field/operator.hpp"
#include "field/order_trace.hpp"

namespace caribou::tests {

/// A robot that its station drives in a room without furniture: on separate processes of the program.
class RobotInRoom : public testing::Test {
protected:
    /// A square room with the robot in its middle; `more` is the rest of the world file.
    void start(double side, const std::string& more = "", const std::string& station = "") {
        const std::string middle = std::to_string(side / 2);
        room = field.scratch.write("room.toml", "name = \"room\"\nsize = [" + std::to_string(side) + ", " +
                                                    std::to_string(side) + "]\n[[start]]\nat = [" + middle +
                                                    ", " + middle + "]\n" + more);
        field.start_station(station);
        start_robot();
        person.emplace(field.station_at, field.token());
        ASSERT_TRUE(person->sees(is_driven, limit));
        ASSERT_EQ(person->answer("release_stop", limit), "DONE");
    }
    void start_robot() {
        field.start_robot("[body]\nfile = \"" + room + "\"\ntrace = \"" + trace.path() + "\"\n");
    }
    /// A charger half a meter behind the robot in a room of 3 m.
    static constexpr const char* charger =
        "[charger]\nat = [1.0, 1.5]\nheading = 180\n[battery]\nlevel = 0.5\n";

    bool moves() {
        return person->sees([&](const auto&) { return trace.take(), trace.latest().moves; }, limit);
    }
    bool is_in(link::RunMode mode) {
        return person->sees([&](const auto& rover) { return rover.is_in(mode); }, limit);
    }
    /// Returns the final answer as text.
    std::string answer_to(std::uint64_t id) {
        const auto answer = person->answer_to(id, limit);
        return answer ? station::to_string(*answer) : "no answer";
    }
    std::string log() const { return field.text_of("robot.log"); }

    Field field;
    OrderTrace trace{(field.scratch / "orders").string()};
    std::string room;
    std::optional<Operator> person;
};

}  // namespace caribou::tests
