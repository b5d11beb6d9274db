#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "marine/geodesy.hpp"

namespace caribou::marine {

/// The value of NODE_REPORT: where a vehicle is.
struct NodeReport {
    std::string name{};
    std::optional<double> x{}, y{};  ///< meters
    std::optional<double> latitude{}, longitude{};
    std::optional<double> speed{};    ///< m/s
    std::optional<double> heading{};  ///< degrees, clockwise from north
    std::optional<double> depth{}, altitude{}, length{}, beam{};
    std::optional<double> time{};  ///< UNIX seconds, warped
    std::optional<double> yaw{};   ///< radians, counter-clockwise from east
    std::string type{}, color{}, group{}, mode{}, allstop{};
    std::optional<std::uint64_t> index{};
    std::vector<std::pair<std::string, std::string>> other{};  ///< in order; names in upper case

    friend bool operator==(const NodeReport&, const NodeReport&) = default;
};

/// Parses the comma form and the JSON form. Fails if there is no name, no time, or no position.
Result<NodeReport> parse_node_report(std::string_view text);

/// Fills in the missing one of local and geographic position. Without geodesy nothing is changed.
void complete_position(NodeReport& report, const Geodesy* geodesy);

/// Returns the comma form.
std::string to_string(const NodeReport& report);

/// Returns the length of a vehicle of that type, in meters, for reports without one.
double usual_length(std::string_view type);

}  // namespace caribou::marine
