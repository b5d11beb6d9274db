#pragma once

#include <memory>
#include <span>
#include <string>

#include "base/result.hpp"

namespace caribou {

/// Some lines of a GPIO chip. Any thread may call.
class GpioLines {
public:
    virtual ~GpioLines() = default;
    virtual Result<void> set(unsigned line, bool high) = 0;
    virtual Result<bool> get(unsigned line) = 0;
};

/// Takes these lines of a chip, such as /dev/gpiochip0, over libgpiod. Outputs are low at first, and go
/// back to how they were when this is destroyed.
Result<std::unique_ptr<GpioLines>> open_gpio(const std::string& chip, std::span<const unsigned> outputs,
                                             std::span<const unsigned> inputs);

}  // namespace caribou
