#include <cstddef>
#include <cstdint>
#include <string>

#include "base/check.hpp"
#include "cubes/light_reader.hpp"

/// Reads arbitrary bytes as a light file. They are rejected with valid positions, or compile to a program
/// that fits a cube and can be rendered at any time.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace caribou;
    using namespace caribou::cubes;
    const auto pattern = read_lights({"f", std::string(reinterpret_cast<const char*>(data), size)});
    if (!pattern) {
        check(!pattern.error().empty(), "what is refused has a reason");
        for (const TextFault& fault : pattern.error())
            check(fault.line > 0 && fault.column > 0 && !fault.message.empty(),
                  "a fault has a place and a message");
        return 0;
    }
    const auto program = compile(*pattern);
    check(program.has_value(), "what was read compiles");
    check(program->keyframes.size() <= keyframe_slots, "a cube can hold it");
    for (const Keyframe& keyframe : program->keyframes)
        check(keyframe.next < program->keyframes.size(), "no keyframe leads nowhere");
    for (const std::int64_t seconds : {0, 1, 100'000'000})
        std::ignore = colors_at(*program, std::chrono::seconds(seconds));
    return 0;
}
