#pragma once

#include <string>

#include "base/result.hpp"
#include "platform/descriptor.hpp"

namespace caribou {

/// A lock on the stored state of a robot, released by its destruction and by any end of the process. Robots
/// share it; a self-check has it alone.
class StateLock {
public:
    enum class Use { shared, alone };

    /// Creates the file and its folder. Does not wait: fails with Code::refused if another process has the
    /// lock in a way that excludes this use, and with Code::io if the file cannot be opened.
    static Result<StateLock> take(const std::string& path, Use use);

private:
    explicit StateLock(Descriptor file) : file_(std::move(file)) {}

    Descriptor file_;
};

}  // namespace caribou
