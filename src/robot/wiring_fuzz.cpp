#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/check.hpp"
#include "robot/wiring.hpp"

/// Arbitrary bytes as a wiring file. They must be refused with valid positions, or name lines that can all be
/// requested at once.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace caribou;
    using namespace caribou::robot;
    const auto wiring = read_wiring({"f", std::string(reinterpret_cast<const char*>(data), size)});
    if (!wiring) {
        check(!wiring.error().empty(), "what is refused has a reason");
        for (const TextFault& fault : wiring.error())
            check(fault.line > 0 && fault.column > 0 && !fault.message.empty(),
                  "a fault has a place and a message");
        return 0;
    }
    auto lines = gpio_outputs(*wiring);
    for (const unsigned line : gpio_inputs(*wiring)) lines.push_back(line);
    std::ranges::sort(lines);
    check(std::ranges::adjacent_find(lines) == lines.end(), "no line is taken twice");
    check(wiring->pwm_period > Duration::zero() && wiring->stale_after > Duration::zero(),
          "times are positive");
    return 0;
}
