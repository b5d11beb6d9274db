#include "marine/node_report.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <span>

#include <fmt/format.h>

#include "base/number_text.hpp"
#include "marine/fields.hpp"

namespace caribou::marine {
namespace {

struct ReportNumber {
    std::string_view name;
    std::string_view other_name;
    std::optional<double> NodeReport::* place;
    int digits;
};
struct ReportText {
    std::string_view name;
    std::string NodeReport::* place;
};

// In the order in which a report is written: numbers, texts, and numbers again.
constexpr ReportNumber first_numbers[] = {{"x", "", &NodeReport::x, 2},
                                          {"y", "", &NodeReport::y, 2},
                                          {"spd", "speed", &NodeReport::speed, 2},
                                          {"hdg", "heading", &NodeReport::heading, 2},
                                          {"dep", "depth", &NodeReport::depth, 2},
                                          {"lat", "", &NodeReport::latitude, 8},
                                          {"lon", "", &NodeReport::longitude, 8},
                                          {"altitude", "alt", &NodeReport::altitude, 2}};
constexpr ReportText texts[] = {{"type", &NodeReport::type},
                                {"color", &NodeReport::color},
                                {"group", &NodeReport::group},
                                {"mode", &NodeReport::mode},
                                {"allstop", &NodeReport::allstop}};
constexpr ReportNumber last_numbers[] = {{"yaw", "", &NodeReport::yaw, 7},
                                         {"time", "utc_time", &NodeReport::time, 2},
                                         {"length", "len", &NodeReport::length, 2},
                                         {"beam", "", &NodeReport::beam, 2}};

std::string upper(std::string_view text) {
    std::string result(text);
    std::ranges::transform(result, result.begin(),
                           [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return result;
}

bool take_number(NodeReport& report, std::span<const ReportNumber> numbers, std::string_view name,
                 std::string_view value) {
    for (const ReportNumber& number : numbers) {
        if (name != number.name && name != number.other_name) continue;
        report.*number.place = number_in(value);
        return true;
    }
    return false;
}

void take_report_field(NodeReport& report, const std::string& name, std::string_view value, bool is_json) {
    if (name.empty()) return;
    if (name == "name") {
        report.name = value;
        return;
    }
    if (take_number(report, first_numbers, name, value) || take_number(report, last_numbers, name, value))
        return;
    if (name == "index") {
        const auto number = number_in(value);
        if (number && *number >= 0 && *number < 1e15) report.index = static_cast<std::uint64_t>(*number);
        return;
    }
    for (const ReportText& text : texts)
        if (name == text.name) {
            report.*text.place = value;
            return;
        }
    if (!is_json) report.other.emplace_back(upper(name), value);
}

}  // namespace

Result<NodeReport> parse_node_report(std::string_view text) {
    NodeReport report;
    const auto inside = enclosed(trimmed(text), '{', '}');
    if (inside) {
        std::string plain;
        for (const char c : *inside)
            if (c != '"') plain += c;
        for (std::string_view rest = plain; !rest.empty();) {
            const std::size_t end = std::min(rest.find(','), rest.size());
            const std::string_view part = rest.substr(0, end);
            rest.remove_prefix(std::min(end + 1, rest.size()));
            const std::size_t colon = part.find(':');
            if (colon == std::string_view::npos) continue;
            take_report_field(report, lower(trimmed(part.substr(0, colon))), trimmed(part.substr(colon + 1)),
                              true);
        }
    } else {
        for (const TextField& field : fields_in(text))
            take_report_field(report, field.name, field.value, false);
    }
    if (report.name.empty()) return fail(Code::malformed, "Missing vehicle name.");
    if (!report.time) return fail(Code::malformed, "Missing timestamp.");
    if ((!report.x || !report.y) && (!report.latitude || !report.longitude))
        return fail(Code::malformed, "Missing both x/y and lat/lon.");
    return report;
}

void complete_position(NodeReport& report, const Geodesy* geodesy) {
    if (!geodesy) return;
    if ((!report.x || !report.y) && report.latitude && report.longitude) {
        const Vec2 local = geodesy->local({*report.latitude, *report.longitude});
        report.x = local.x;
        report.y = local.y;
    } else if ((!report.latitude || !report.longitude) && report.x && report.y) {
        const Geographic point = geodesy->geographic({*report.x, *report.y});
        report.latitude = point.latitude;
        report.longitude = point.longitude;
    }
}

std::string to_string(const NodeReport& report) {
    std::string result = "NAME=" + report.name;
    const auto add_numbers = [&](std::span<const ReportNumber> numbers) {
        for (const ReportNumber& number : numbers)
            if (const auto& value = report.*number.place)
                result += fmt::format(",{}={}", upper(number.name), short_number(*value, number.digits));
    };
    add_numbers(first_numbers);
    for (const ReportText& text : texts)
        if (!(report.*text.place).empty())
            result += fmt::format(",{}={}", upper(text.name), report.*text.place);
    if (report.index) result += fmt::format(",INDEX={}", *report.index);
    add_numbers(last_numbers);
    for (const bool is_trajectory : {true, false})
        for (const auto& [name, value] : report.other)
            if ((name == "TRAJECTORY") == is_trajectory) result += fmt::format(",{}={}", name, value);
    return result;
}

double usual_length(std::string_view type) {
    const std::string name = lower(type);
    if (name == "auv" || name == "kayak" || name == "heron") return 3;
    if (name == "glider") return 2;
    if (name == "ship" || name == "longship") return 10;
    if (name == "smr") return 6;
    return 4;
}

}  // namespace caribou::marine
