#include "cubes/simulated_world.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace caribou::cubes {
namespace {

using namespace std::chrono_literals;

std::string_view first_word(std::string_view text) { return text.substr(0, text.find(' ')); }

std::string_view rest_of(std::string_view line) {
    const std::size_t space = line.find(' ');
    return space == std::string_view::npos ? "" : line.substr(space + 1);
}

Result<double> number_in(std::string_view line) {
    const std::string_view text = rest_of(line);
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error == std::errc{} && end == text.data() + text.size() && number >= 0) return number;
    return fail(Code::invalid_argument,
                fmt::format("`{}` needs a number that is not negative", first_word(line)));
}

}  // namespace

const std::vector<CubeCommand>& SimulatedWorld::commands() {
    static const std::vector<CubeCommand> all{
        {"tap", "tap the cube"},
        {"shake", "shake it for a second"},
        {"move", "carry it around for a second"},
        {"turn AXIS", "lay it so that x_up, x_down, y_up, ... holds"},
        {"distance METRES", "put it so far away; it is heard up to 10 m"},
        {"volts VOLTS", "what its battery gives; below 0.9 V it is dead"},
        {"drop", "break the link"},
        {"refuse", "let it refuse every link from now on"},
        {"hang", "let nothing be answered any more"},
        {"mend", "end refuse and hang"},
    };
    return all;
}

bool SimulatedWorld::knows(std::string_view line) {
    return std::ranges::any_of(commands(), [&](const CubeCommand& command) {
        return first_word(command.usage) == first_word(line);
    });
}

Result<std::string> SimulatedWorld::run(std::string_view line) {
    const std::string_view command = first_word(line);
    const Instant now = loop_.clock().now();
    if (command == "tap") cube_.tap();
    if (command == "shake") cube_.shake_until(now + 1s);
    if (command == "move") cube_.move_until(now + 1s);
    if (command == "drop") radio_.drop_link();
    if (command == "refuse") radio_.set_faults({.refuse_connect = true});
    if (command == "hang")
        radio_.set_faults({.hang_connect = true, .hang_disconnect = true, .hang_values = true});
    if (command == "mend") radio_.set_faults({});
    if (command == "turn") {
        const auto axis = up_axis_from(rest_of(line));
        if (!axis) return fail(axis.error());
        cube_.turn(*axis);
    }
    if (command == "distance" || command == "volts") {
        const auto number = number_in(line);
        if (!number) return fail(number.error());
        command == "volts" ? cube_.set_volts(*number) : cube_.set_distance(*number);
    }
    return fmt::format("the world: {}\n", line);
}

}  // namespace caribou::cubes
