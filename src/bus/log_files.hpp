#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"

namespace caribou::bus {

/// Destination of a recording: one log after another, each with a file of values (.alog) and, once there is
/// any, a file of binary data (.blog). Implemented in platform.
class LogFiles {
public:
    virtual ~LogFiles() = default;
    /// Starts a log, closing the previous one. Fails with already_exists rather than overwrite a file.
    virtual Result<void> open(const std::string& name) = 0;
    /// Appends to the .alog (.blog) file. On error nothing of `lines` (`side`) is in the file.
    virtual Result<void> append_lines(std::string_view lines) = 0;
    virtual Result<void> append_side(std::string_view side) = 0;
    /// Closes the log. Fails with io if some data may not have reached the disk.
    virtual Result<void> close() = 0;
};

}  // namespace caribou::bus
