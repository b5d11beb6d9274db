#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "wire/alog.hpp"

namespace caribou::wire {

/// Statistics of a log.
struct AlogSummary {
    struct Variable {
        std::uint64_t count = 0;
        DataType type = DataType::none;  ///< of the last value
        double first = 0;                ///< seconds since the log's start
        double last = 0;
        std::set<std::string, std::less<>> sources{};

        friend bool operator==(const Variable&, const Variable&) = default;
    };

    std::optional<double> log_start{};
    double first = 0;  ///< seconds since the log's start
    double last = 0;
    std::uint64_t values = 0;
    std::uint64_t passed_over = 0;  ///< malformed lines
    std::map<std::string, Variable, std::less<>> variables{};
};

/// Reads a whole log and returns its statistics.
AlogSummary summarize_alog(std::string_view text);

/// The header line of a CSV file (RFC 4180), and one row for a value; both include the line end. A value
/// stored in a separate file is written as the reference in the log.
inline constexpr std::string_view alog_csv_header = "time,variable,source,value\n";
std::string alog_csv_row(const AlogEntry& entry);

}  // namespace caribou::wire
