#include "marine/shape_table.hpp"

#include <array>
#include <string>

namespace caribou::marine {
namespace {

using enum NumberUse;

constexpr ShapeNumber point_numbers[] = {{"x", "", required, 0}, {"y", "", required, 0}, {"z", "", drawn, 0}};
constexpr ShapeNumber seglr_numbers[] = {
    {"ray", "", drawn, 0}, {"ray_len", "", drawn, 10}, {"head_size", "", drawn, 3}};
constexpr ShapeNumber wedge_numbers[] = {{"x", "", required, 0},       {"y", "", required, 0},
                                         {"rad_low", "", required, 0}, {"rad_hgh", "", required, 0},
                                         {"ang_low", "", required, 0}, {"ang_hgh", "", required, 0}};
constexpr ShapeNumber circle_numbers[] = {
    {"x", "", required, 0}, {"y", "", required, 0}, {"radius", "", required, 0}, {"vertices", "", drawn, 18}};
constexpr ShapeNumber oval_numbers[] = {{"x", "", required, 0},   {"y", "", required, 0},
                                        {"rad", "", required, 0}, {"len", "", required, 0},
                                        {"ang", "", required, 0}, {"draw_degs", "", written, 5}};
constexpr ShapeNumber arrow_numbers[] = {
    {"ctrx", "", required, 0}, {"ctry", "", required, 0}, {"ang", "", required, 0}, {"bwid", "", written, 5},
    {"blen", "", written, 20}, {"hwid", "", written, 10}, {"hlen", "", written, 10}};
constexpr ShapeNumber vector_numbers[] = {{"x", "xpos", required, 0},
                                          {"y", "ypos", required, 0},
                                          {"ang", "", required, 0},
                                          {"mag", "", required, 0},
                                          {"head_size", "", drawn, 3}};
constexpr ShapeNumber marker_numbers[] = {
    {"x", "", required, 0}, {"y", "", required, 0}, {"width", "scale", written, 5}, {"range", "", drawn, 0}};
constexpr ShapeNumber textbox_numbers[] = {
    {"x", "", required, 0}, {"y", "", required, 0}, {"fsize", "", written, 10}};
constexpr ShapeNumber range_pulse_numbers[] = {{"x", "", required, 0},
                                               {"y", "", required, 0},
                                               {"radius", "", written, 40},
                                               {"fill", "", written, 0.25},
                                               {"linger", "", drawn, 0}};
constexpr ShapeNumber comms_pulse_numbers[] = {{"sx", "", required, 0},         {"sy", "", required, 0},
                                               {"tx", "", required, 0},         {"ty", "", required, 0},
                                               {"beam_width", "", written, 10}, {"fill", "", written, 0.35}};
constexpr ShapeNumber grid_numbers[] = {{"cell_size", "", written, 10}};

constexpr std::array<ShapeTraits, 14> all_traits{{{"point", false, 2, point_numbers},
                                                  {"seglist", true, 1, {}},
                                                  {"seglr", true, 1, seglr_numbers},
                                                  {"polygon", true, 1, {}},
                                                  {"wedge", false, 1, wedge_numbers},
                                                  {"circle", false, 1, circle_numbers},
                                                  {"oval", false, 1, oval_numbers},
                                                  {"arrow", false, 1, arrow_numbers},
                                                  {"vector", false, 1, vector_numbers},
                                                  {"marker", false, 1, marker_numbers},
                                                  {"textbox", false, 1, textbox_numbers},
                                                  {"range_pulse", false, 1, range_pulse_numbers},
                                                  {"comms_pulse", false, 1, comms_pulse_numbers},
                                                  {"grid", true, 1, grid_numbers}}};
static_assert(all_traits.size() == std::size_t(ShapeKind::grid) + 1);

}  // namespace

const ShapeTraits& traits_of(ShapeKind kind) { return all_traits[std::size_t(kind)]; }

std::string_view to_string(ShapeKind kind) { return traits_of(kind).name; }

std::string shape_variable(ShapeKind kind) {
    std::string name = "VIEW_";
    for (const char c : to_string(kind)) name += c == '_' ? c : static_cast<char>(c - 'a' + 'A');
    return name;
}

std::optional<ShapeKind> shape_kind(std::string_view variable) {
    for (std::size_t i = 0; i < all_traits.size(); ++i)
        if (shape_variable(ShapeKind(i)) == variable) return ShapeKind(i);
    return std::nullopt;
}

}  // namespace caribou::marine
