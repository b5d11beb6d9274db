#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "loop/time.hpp"

namespace caribou::bus {

/// A variable to log: `Log = VAR @ 0.5 NOSYNC` of pLogger.
struct LoggedVariable {
    std::string name{};
    Duration interval{0};
    bool is_column = true;  ///< of the synchronous log

    friend bool operator==(const LoggedVariable&, const LoggedVariable&) = default;
};
/// Parses `VAR @ SECONDS [NOSYNC] [MONITOR]`; `@ SECONDS` may be left out.
Result<LoggedVariable> parse_logged_variable(std::string_view text);

/// Parses `true @ 0.2` or `false`. Returns the interval of the synchronous log; zero: there is none.
Result<Duration> parse_sync_log(std::string_view text);

/// A request in PLOGGER_CMD.
struct LoggerRequest {
    std::string file{};         ///< to copy beside the logs; empty: the request is for a variable
    LoggedVariable variable{};  ///< to log

    friend bool operator==(const LoggerRequest&, const LoggerRequest&) = default;
};
/// Parses `COPY_FILE_REQUEST = path` or `LOG_REQUEST = VAR @ 0.5 NOSYNC`.
Result<LoggerRequest> parse_logger_request(std::string_view text);

}  // namespace caribou::bus
