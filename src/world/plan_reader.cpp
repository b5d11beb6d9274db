#include "world/plan_reader.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "base/number_text.hpp"
#include "base/suggestion.hpp"
#include "base/toml.hpp"
#include "world/robot_model.hpp"

namespace caribou::world {
namespace {

using Kind = JsonNode::Kind;

constexpr double a_day = 86'400;
constexpr double largest_side = 1000;

std::string_view kind_of(const JsonNode& node) {
    if (node.is(Kind::null)) return "a date or time";
    if (node.is(Kind::object)) return "a table";
    return name_of(node.kind);
}

/// Returns nullopt if the node is not a list of two numbers within the largest side.
std::optional<Vec2> point_in(const JsonNode& node) {
    const auto fits = [](const JsonNode& item) {
        return item.is(Kind::number) && std::abs(item.number) <= largest_side;
    };
    if (!node.is(Kind::list) || node.items.size() != 2 || !std::ranges::all_of(node.items, fits))
        return std::nullopt;
    return Vec2{node.items[0].number, node.items[1].number};
}

std::string name_in(const JsonNode& node) { return node.key.empty() ? "a value" : "`" + node.key + "`"; }

}  // namespace

PlanReader::PlanReader(const NamedText& file, std::size_t max_faults)
    : file_(file), faults_({&file, 1}, max_faults) {}

const JsonNode* PlanReader::root() {
    constexpr JsonLimits limits{.bytes = 1_MiB, .depth = 16, .values = 50'000};
    auto read = read_toml(file_.text, limits);
    if (!read) {
        faults_.add({0, read.error().offset}, read.error().message);
        return nullptr;
    }
    root_ = std::move(*read);
    return &*root_;
}

void PlanReader::fault(const JsonNode& node, std::string message) {
    faults_.add({0, node.offset}, std::move(message));
}

void PlanReader::missing(const JsonNode& table, std::string_view key) {
    fault(table, fmt::format("`{}` is missing", key));
}

void PlanReader::mismatch(const JsonNode& node, std::string_view wanted) {
    fault(node, fmt::format("{} is {}, not {}", name_in(node), wanted, kind_of(node)));
}

bool PlanReader::is_table(const JsonNode& node, std::string_view owner,
                          const std::vector<std::string>& keys) {
    if (!node.is(Kind::object)) {
        mismatch(node, "a table");
        return false;
    }
    for (const JsonNode& value : node.items)
        if (std::ranges::find(keys, value.key) == keys.end())
            faults_.add({0, value.key_offset},
                        fmt::format("{} has no `{}`{}", owner, value.key, instead_of(value.key, keys)));
    return true;
}

std::vector<const JsonNode*> PlanReader::tables(const JsonNode& root, std::string_view name) {
    std::vector<const JsonNode*> found;
    const JsonNode* list = root.find(name);
    if (!list) return found;
    if (!list->is(Kind::list)) {
        fault(*list, fmt::format("expected `[[{0}]]`, one for each `{0}`", name));
        return found;
    }
    for (const JsonNode& node : list->items) found.push_back(&node);
    return found;
}

std::optional<double> PlanReader::number(const JsonNode& table, std::string_view key, double least,
                                         double most) {
    const JsonNode* node = table.find(key);
    if (!node) return std::nullopt;
    if (!node->is(Kind::number)) {
        mismatch(*node, "a number");
        return std::nullopt;
    }
    if (!(node->number >= least && node->number <= most)) {
        fault(*node,
              fmt::format("`{}` lies between {} and {}, and {} does not", key, least, most, node->number));
        return std::nullopt;
    }
    return node->number;
}

std::optional<std::string> PlanReader::text(const JsonNode& table, std::string_view key) {
    const JsonNode* node = table.find(key);
    if (!node) return std::nullopt;
    if (!node->is(Kind::text)) {
        mismatch(*node, "a text");
        return std::nullopt;
    }
    return node->text;
}

std::optional<bool> PlanReader::truth(const JsonNode& table, std::string_view key) {
    const JsonNode* node = table.find(key);
    if (!node) return std::nullopt;
    if (!node->is(Kind::truth)) {
        mismatch(*node, "true or false");
        return std::nullopt;
    }
    return node->truth;
}

std::optional<Vec2> PlanReader::point(const JsonNode& table, std::string_view key) {
    const JsonNode* node = table.find(key);
    if (!node) return std::nullopt;
    if (const auto point = point_in(*node)) return point;
    fault(*node,
          fmt::format("`{}` is a point such as [1.5, 2], in metres, none beyond {}", key, largest_side));
    return std::nullopt;
}

std::vector<Vec2> PlanReader::points(const JsonNode& table, std::string_view key) {
    const JsonNode* node = table.find(key);
    if (!node) return {};
    std::vector<Vec2> all;
    if (node->is(Kind::list))
        for (const JsonNode& item : node->items)
            if (const auto point = point_in(item)) all.push_back(*point);
    if (!node->is(Kind::list) || all.size() != node->items.size() || all.empty()) {
        fault(*node, fmt::format("`{}` is a list of points such as [[1.5, 2], [3, 2]], in meters", key));
        return {};
    }
    return all;
}

std::optional<Area> PlanReader::area(const JsonNode& table) {
    const auto from = required(table, "from", point(table, "from"));
    const auto to = required(table, "to", point(table, "to"));
    if (!from || !to) return std::nullopt;
    const Area area{{std::min(from->x, to->x), std::min(from->y, to->y)},
                    {std::max(from->x, to->x), std::max(from->y, to->y)}};
    if (area.low.x == area.high.x || area.low.y == area.high.y) {
        fault(table, "an area reaches from one corner to the opposite one; these two are on one line");
        return std::nullopt;
    }
    return area;
}

std::optional<Pose> PlanReader::pose(const JsonNode& table) {
    const auto at = required(table, "at", point(table, "at"));
    const double degrees = number(table, "heading", -360, 360).value_or(0);
    if (!at) return std::nullopt;
    return pose_at(*at, degrees * std::numbers::pi / 180);
}

std::optional<Fault> PlanReader::read_fault(const JsonNode& table) {
    if (!is_table(table, "a fault", {"kind", "at", "until", "robot", "what", "value"})) return std::nullopt;
    Fault read;
    const auto kind_text = required(table, "kind", text(table, "kind"));
    const double at = required(table, "at", number(table, "at", 0, a_day)).value_or(0);
    read.at = from_seconds(at);
    if (const auto until = number(table, "until", 0, a_day)) {
        if (*until <= at) fault(*table.find("until"), "`until` comes after `at`");
        read.until = from_seconds(*until);
    }
    read.robot = static_cast<std::size_t>(number(table, "robot", 0, 9999).value_or(0));
    read.value = number(table, "value", -10, 10).value_or(0);
    read.what = text(table, "what").value_or("");
    if (!kind_text) return std::nullopt;
    const auto kind = fault_kind(*kind_text);
    if (!kind) {
        fault(*table.find("kind"),
              fmt::format("no fault is called `{}`{}", *kind_text, instead_of(*kind_text, fault_kinds())));
        return std::nullopt;
    }
    read.kind = *kind;
    const auto subjects = subjects_of(*kind, names_of(default_ring()));
    if (subjects.empty() != read.what.empty()) {
        fault(table, subjects.empty() ? fmt::format("`{}` needs no `what`", *kind_text)
                                      : fmt::format("`what` is missing: {}", listed(subjects, "or")));
    } else if (!subjects.empty() && std::ranges::find(subjects, read.what) == subjects.end()) {
        fault(*table.find("what"), fmt::format("`{}` is none of the things that can be `{}`{}", read.what,
                                               *kind_text, instead_of(read.what, subjects)));
    }
    const bool has_value = *kind == FaultKind::lying_encoder || *kind == FaultKind::low_battery;
    if (has_value && !table.find("value")) missing(table, "value");
    if (*kind == FaultKind::low_battery && !(read.value >= 0 && read.value <= 1))
        fault(*table.find("value"), "`value` of a low battery is a share between 0 and 1");
    return read;
}

}  // namespace caribou::world
