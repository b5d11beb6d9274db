// The functions of libgpiod 2 (Debian 13) that Caribou calls, for the simulated pins.

#include <gpiod.h>

#include <cstddef>
#include <memory>

#include "pins/simulated_lines.hpp"

using caribou::tests::SimulatedLines;

// Each object is a static one where it has no content, and one per line otherwise.
struct gpiod_chip {};
struct gpiod_line_info {};
struct gpiod_request_config {};
struct gpiod_line_settings {
    bool is_output = false;
    bool high = false;
};
struct gpiod_line_config {
    unsigned number = 0;
    gpiod_line_settings settings{};
};
struct gpiod_line_request {
    unsigned number = 0;
    bool is_output = false;
};

namespace {

gpiod_chip the_chip;
gpiod_line_info the_info;
gpiod_request_config the_request_config;

}  // namespace

extern "C" {

gpiod_chip* gpiod_chip_open(const char*) { return SimulatedLines::exist() ? &the_chip : nullptr; }
void gpiod_chip_close(gpiod_chip*) {}
gpiod_line_info* gpiod_chip_get_line_info(gpiod_chip*, unsigned) { return &the_info; }
void gpiod_line_info_free(gpiod_line_info*) {}

gpiod_line_settings* gpiod_line_settings_new() { return std::make_unique<gpiod_line_settings>().release(); }
void gpiod_line_settings_free(gpiod_line_settings* settings) {
    std::unique_ptr<gpiod_line_settings> owner(settings);
}
int gpiod_line_settings_set_direction(gpiod_line_settings* settings, gpiod_line_direction direction) {
    settings->is_output = direction == GPIOD_LINE_DIRECTION_OUTPUT;
    return 0;
}
int gpiod_line_settings_set_output_value(gpiod_line_settings* settings, gpiod_line_value value) {
    settings->high = value == GPIOD_LINE_VALUE_ACTIVE;
    return 0;
}

gpiod_line_config* gpiod_line_config_new() { return std::make_unique<gpiod_line_config>().release(); }
void gpiod_line_config_free(gpiod_line_config* config) { std::unique_ptr<gpiod_line_config> owner(config); }
int gpiod_line_config_add_line_settings(gpiod_line_config* config, const unsigned* numbers, std::size_t count,
                                        gpiod_line_settings* settings) {
    if (count != 1) return -1;
    *config = {.number = *numbers, .settings = *settings};
    return 0;
}

gpiod_request_config* gpiod_request_config_new() { return &the_request_config; }
void gpiod_request_config_free(gpiod_request_config*) {}
void gpiod_request_config_set_consumer(gpiod_request_config*, const char*) {}

gpiod_line_request* gpiod_chip_request_lines(gpiod_chip*, gpiod_request_config*, gpiod_line_config* config) {
    if (config->settings.is_output) SimulatedLines::take_output(config->number, config->settings.high);
    auto request = std::make_unique<gpiod_line_request>();
    *request = {.number = config->number, .is_output = config->settings.is_output};
    return request.release();
}
void gpiod_line_request_release(gpiod_line_request* request) {
    std::unique_ptr<gpiod_line_request> owner(request);
}
int gpiod_line_request_set_value(gpiod_line_request*, unsigned number, gpiod_line_value value) {
    SimulatedLines::set(number, value == GPIOD_LINE_VALUE_ACTIVE);
    return 0;
}
gpiod_line_value gpiod_line_request_get_value(gpiod_line_request* request, unsigned number) {
    return SimulatedLines::get(number, request->is_output) ? GPIOD_LINE_VALUE_ACTIVE
                                                           : GPIOD_LINE_VALUE_INACTIVE;
}

}  // extern "C"
