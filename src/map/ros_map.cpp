#include "map/ros_map.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/limits.hpp"
#include "base/number_text.hpp"
#include "base/suggestion.hpp"
#include "base/trimmed.hpp"
#include "map/place.hpp"
#include "map/stored_map.hpp"

namespace caribou::map {
namespace {

using namespace std::string_view_literals;

constexpr char free_gray = '\xfe';
constexpr char unknown_gray = '\xcd';
constexpr char occupied_gray = '\x00';

std::string_view without_quotes(std::string_view text) {
    const bool quoted =
        text.size() >= 2 && (text.front() == '"' || text.front() == '\'') && text.back() == text.front();
    return quoted ? text.substr(1, text.size() - 2) : text;
}

std::optional<double> number_between(std::string_view text, double low, double high) {
    const auto number = number_in(text);
    return number && *number >= low && *number <= high ? number : std::nullopt;
}

/// Returns the reason why the value is wrong, or an empty text.
using ReadKey = std::string (*)(std::string_view value, RosMapInfo& into);

std::string read_number(std::string_view value, double low, double high, double& into) {
    const auto number = number_between(value, low, high);
    if (!number) return fmt::format("expected a number from {} to {}", low, high);
    into = *number;
    return {};
}

std::string read_image(std::string_view value, RosMapInfo& into) {
    into.image = std::string(without_quotes(value));
    const bool is_plain = !into.image.empty() && trimmed(into.image) == into.image &&
                          into.image.find_first_of("\"'#\0"sv) == std::string::npos;
    return is_plain ? "" : "expected the name of a file without quotes and `#`";
}

std::string read_origin(std::string_view value, RosMapInfo& into) {
    constexpr const char* expected = "expected [X, Y, 0] in meters; a turned map is not supported";
    if (!value.starts_with('[') || !value.ends_with(']')) return expected;
    value = value.substr(1, value.size() - 2);
    std::array<double, 3> numbers{};
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const std::size_t comma = value.find(',');
        if ((comma == std::string_view::npos) != (i + 1 == numbers.size())) return expected;
        const auto number = number_between(value.substr(0, comma), -farthest, farthest);
        if (!number) return expected;
        numbers[i] = *number;
        value = comma == std::string_view::npos ? std::string_view() : value.substr(comma + 1);
    }
    if (numbers[2] != 0) return expected;
    into.low = {numbers[0], numbers[1]};
    return {};
}

std::string read_negate(std::string_view value, RosMapInfo& into) {
    into.negate = value == "1" || value == "true";
    return into.negate || value == "0" || value == "false" ? "" : "expected 0 or 1";
}

std::string read_mode(std::string_view value, RosMapInfo&) {
    return without_quotes(value) == "trinary" ? "" : "only `trinary` is supported";
}

constexpr std::array<std::pair<std::string_view, ReadKey>, 7> keys{{
    {"image", read_image},
    {"resolution",
     [](std::string_view value, RosMapInfo& into) { return read_number(value, 0.01, 1, into.resolution); }},
    {"origin", read_origin},
    {"negate", read_negate},
    {"occupied_thresh",
     [](std::string_view value, RosMapInfo& into) { return read_number(value, 0, 1, into.occupied_thresh); }},
    {"free_thresh",
     [](std::string_view value, RosMapInfo& into) { return read_number(value, 0, 1, into.free_thresh); }},
    {"mode", read_mode},
}};

/// Reads the next word of a PGM header; `#` begins a comment.
std::string_view next_word(std::string_view& text) {
    constexpr std::string_view space = " \t\r\n\f\v";
    for (;;) {
        text.remove_prefix(std::min(text.find_first_not_of(space), text.size()));
        if (!text.starts_with('#')) break;
        text.remove_prefix(std::min(text.find('\n'), text.size()));
    }
    const std::string_view word = text.substr(0, text.find_first_of(space));
    text.remove_prefix(word.size());
    return word;
}

std::optional<std::int32_t> next_number(std::string_view& text, std::int32_t low, std::int32_t high) {
    const auto number = number_in(next_word(text));
    if (!number || *number < low || *number > high || *number != std::floor(*number)) return std::nullopt;
    return static_cast<std::int32_t>(*number);
}

Occupancy occupancy_of(double gray, const RosMapInfo& info) {
    const double black = info.negate ? gray : 1 - gray;
    return black > info.occupied_thresh ? Occupancy::occupied
           : black < info.free_thresh   ? Occupancy::free
                                        : Occupancy::unknown;
}

}  // namespace

std::string to_string(const RosMapInfo& info) {
    return fmt::format(
        "image: {}\nmode: trinary\nresolution: {}\norigin: [{}, {}, 0]\nnegate: {}\n"
        "occupied_thresh: {}\nfree_thresh: {}\n",
        info.image, number_text(info.resolution), number_text(info.low.x), number_text(info.low.y),
        info.negate ? 1 : 0, number_text(info.occupied_thresh), number_text(info.free_thresh));
}

Result<RosMapInfo> ros_map_info_from(std::string_view yaml, std::string_view path) {
    RosMapInfo info;
    std::vector<std::string> given;
    std::vector<std::string> known;
    for (const auto& [name, read] : keys) known.emplace_back(name);
    std::size_t number = 0;
    while (!yaml.empty()) {
        ++number;
        const std::size_t end = yaml.find('\n');
        std::string_view line = trimmed(yaml.substr(0, end));
        yaml = end == std::string_view::npos ? std::string_view() : yaml.substr(end + 1);
        if (line.empty() || line.starts_with('#') || line == "---") continue;
        const auto wrong = [&](std::string what) {
            return fail(Code::malformed, fmt::format("{}:{}: error: {}", path, number, what));
        };
        const std::size_t colon = line.find(':');
        if (colon == std::string_view::npos) return wrong("expected `KEY: VALUE`");
        const std::string_view key = trimmed(line.substr(0, colon));
        std::string_view value = line.substr(colon + 1);
        value = trimmed(value.substr(0, value.find(" #")));
        const auto* const found = std::ranges::find(keys, key, &std::pair<std::string_view, ReadKey>::first);
        if (found == keys.end())
            return wrong(fmt::format("there is no key `{}`{}", key, instead_of(key, known)));
        if (const std::string why = found->second(value, info); !why.empty())
            return wrong(fmt::format("{}: {}, found `{}`", key, why, value));
        given.emplace_back(key);
    }
    for (const char* const needed : {"image", "resolution", "origin"})
        if (std::ranges::find(given, needed) == given.end())
            return fail(Code::malformed, fmt::format("{}:1: error: `{}` is missing", path, needed));
    if (info.free_thresh > info.occupied_thresh)
        return fail(Code::malformed, fmt::format("{}:1: error: free_thresh is above occupied_thresh", path));
    return info;
}

std::string to_pgm(const OccupancyGrid& grid) {
    const GridFrame& frame = grid.frame();
    std::string pgm = fmt::format("P5\n{} {}\n255\n", frame.columns, frame.rows);
    pgm.reserve(pgm.size() + frame.size());
    for (std::int32_t row = frame.rows - 1; row >= 0; --row)
        for (std::int32_t column = 0; column < frame.columns; ++column) switch (grid.at({column, row})) {
                case Occupancy::free: pgm += free_gray; break;
                case Occupancy::unknown: pgm += unknown_gray; break;
                case Occupancy::occupied: pgm += occupied_gray; break;
            }
    return pgm;
}

Result<OccupancyGrid> grid_from_pgm(std::string_view pgm, const RosMapInfo& info, std::string_view path) {
    const auto wrong = [&](std::string_view what) {
        return fail(Code::malformed, fmt::format("{}: error: {}", path, what));
    };
    const std::string_view kind = next_word(pgm);
    if (kind != "P5" && kind != "P2") return wrong("it is not a PGM image, which begins with P5 or P2");
    const auto columns = next_number(pgm, 1, 4000);
    const auto rows = next_number(pgm, 1, 4000);
    const auto white = next_number(pgm, 1, 255);
    if (!columns || !rows || !white)
        return wrong("expected width and height from 1 to 4000, and a greatest value from 1 to 255");
    const GridFrame frame{info.low, info.resolution, *columns, *rows};
    if (frame.size() > StoredMap::max_cells)
        return wrong(limit_reached("max_cells", frame.size(), StoredMap::max_cells, "cells"));
    const bool is_text = kind == "P2";
    if (!is_text) pgm.remove_prefix(std::min<std::size_t>(pgm.size(), 1));
    if (!is_text && pgm.size() < frame.size())
        return wrong(fmt::format("expected {} pixels, found {}", frame.size(), pgm.size()));
    OccupancyGrid grid(frame);
    for (std::int32_t row = *rows - 1; row >= 0; --row)
        for (std::int32_t column = 0; column < *columns; ++column) {
            std::optional<std::int32_t> gray;
            if (is_text) {
                gray = next_number(pgm, 0, *white);
            } else {
                gray = std::min<std::int32_t>(static_cast<std::uint8_t>(pgm.front()), *white);
                pgm.remove_prefix(1);
            }
            if (!gray) return wrong(fmt::format("expected a number from 0 to {} for each pixel", *white));
            grid.set({column, row}, occupancy_of(static_cast<double>(*gray) / *white, info));
        }
    return grid;
}

}  // namespace caribou::map
