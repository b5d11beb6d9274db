// For a build without libgpiod.
#include "adapters/body/gpio_lines.hpp"

#include <fmt/format.h>

namespace caribou {

Result<std::unique_ptr<GpioLines>> open_gpio(const std::string& chip, std::span<const unsigned>,
                                             std::span<const unsigned>) {
    return fail(
        Code::unavailable,
        fmt::format("{}: this program was built without libgpiod; install libgpiod-dev and build it again",
                    chip));
}

}  // namespace caribou
