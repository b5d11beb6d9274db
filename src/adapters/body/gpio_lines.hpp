#pragma once

#include <memory>
#include <span>
#include <string>

#include "base/result.hpp"

namespace caribou {

/// Lines of a GPIO chip. Thread-safe.
class GpioLines {
public:
    virtual ~GpioLines() = default;
    /// Sets an output. Fails with not_found if the line was not requested.
    virtual Result<void> set(unsigned line, bool high) = 0;
    /// Returns whether a line is high; outputs can be read back.
    virtual Result<bool> get(unsigned line) = 0;
};

/// Requests these lines of a chip, such as /dev/gpiochip0, through libgpiod. Outputs are low initially, and
/// are restored when the object is destroyed.
Result<std::unique_ptr<GpioLines>> open_gpio(const std::string& chip, std::span<const unsigned> outputs,
                                             std::span<const unsigned> inputs);

}  // namespace caribou
