#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "wire/alog.hpp"

namespace caribou::wire {

/// What a log holds, in figures.
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
    std::uint64_t passed_over = 0;  ///< lines that make no sense
    std::map<std::string, Variable, std::less<>> variables{};
};

AlogSummary summarize_alog(std::string_view text);

/// `time,variable,source,value` as RFC 4180 has it, with its end. Values that stand beside the log are
/// given as the log refers to them.
inline constexpr std::string_view alog_csv_header = "time,variable,source,value\n";
std::string alog_csv_row(const AlogEntry& entry);

}  // namespace caribou::wire
