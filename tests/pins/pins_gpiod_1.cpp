// The functions of libgpiod 1 (Debian 12) that Caribou calls, for the simulated pins.

#include <gpiod.h>

#include <array>

#include "pins/simulated_lines.hpp"

using caribou::tests::SimulatedLines;

struct gpiod_line {
    unsigned number = 0;
    bool is_output = false;
};
struct gpiod_chip {
    std::array<gpiod_line, 32> lines{};
};

namespace {

gpiod_chip the_chip;

}  // namespace

extern "C" {

gpiod_chip* gpiod_chip_open(const char*) { return SimulatedLines::exist() ? &the_chip : nullptr; }
void gpiod_chip_close(gpiod_chip*) {}
gpiod_line* gpiod_chip_get_line(gpiod_chip* chip, unsigned number) {
    chip->lines.at(number).number = number;
    return &chip->lines.at(number);
}
int gpiod_line_request_output(gpiod_line* line, const char*, int value) {
    line->is_output = true;
    SimulatedLines::take_output(line->number, value != 0);
    return 0;
}
int gpiod_line_request_input(gpiod_line*, const char*) { return 0; }
int gpiod_line_set_value(gpiod_line* line, int value) {
    SimulatedLines::set(line->number, value != 0);
    return 0;
}
int gpiod_line_get_value(gpiod_line* line) {
    return SimulatedLines::get(line->number, line->is_output) ? 1 : 0;
}

}  // extern "C"
