#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"

namespace caribou::bus {

/// Where a recording goes: one log after another, each with its values (.alog) and, as soon as there
/// are any, the bytes that stand beside them (.blog). The real one stands in platform.
class LogFiles {
public:
    virtual ~LogFiles() = default;
    /// Begins a log, in place of the one before. already_exists: a file is never overwritten.
    virtual Result<void> open(const std::string& name) = 0;
    /// After an error nothing of `lines` (`side`) is in the file.
    virtual Result<void> append_lines(std::string_view lines) = 0;
    virtual Result<void> append_side(std::string_view side) = 0;
    /// Ends the log. io: not everything may have reached the disk.
    virtual Result<void> close() = 0;
};

}  // namespace caribou::bus
