#include "cubes/light_program.hpp"

#include <algorithm>

namespace caribou::cubes {
namespace {

Color color_of(const LightProgram& program, std::size_t index) {
    if (index >= program.keyframes.size()) return {};
    const Keyframe& keyframe = program.keyframes[index];
    return {keyframe.red, keyframe.green, keyframe.blue};
}

std::uint8_t between(std::uint8_t from, std::uint8_t to, std::int64_t step, std::int64_t steps) {
    return static_cast<std::uint8_t>(from + (to - from) * step / steps);
}

Color fade(Color from, Color to, std::int64_t step, std::int64_t steps) {
    return {between(from.red, to.red, step, steps), between(from.green, to.green, step, steps),
            between(from.blue, to.blue, step, steps)};
}

/// Follows the keyframes of one LED up to a frame. They form a cycle eventually; whole rounds are skipped, so
/// that the number of steps does not depend on the time.
Color color_at_frame(const LightProgram& program, std::size_t index, std::int64_t frame) {
    std::array<std::int64_t, keyframe_slots> reached{};
    reached.fill(-1);
    std::int64_t begin = 0;
    while (index < std::min(program.keyframes.size(), keyframe_slots)) {
        const Keyframe& keyframe = program.keyframes[index];
        const std::int64_t length = keyframe.hold + keyframe.decay;
        if (length == 0 || frame < begin + keyframe.hold) return color_of(program, index);
        if (frame < begin + length)
            return fade(color_of(program, index), color_of(program, keyframe.next),
                        frame - begin - keyframe.hold, keyframe.decay);
        if (reached[index] >= 0) {
            frame = begin + (frame - begin) % (begin - reached[index]);
            reached.fill(-1);
        } else {
            reached[index] = begin;
            begin += length;
            index = keyframe.next;
        }
    }
    return {};
}

}  // namespace

std::vector<CubeMessage> to_messages(const LightProgram& program) {
    constexpr std::size_t last_index = keyframe_slots - LightKeyframes::count;
    std::vector<CubeMessage> messages;
    for (std::size_t at = 0; at < program.keyframes.size(); at += LightKeyframes::count) {
        const std::size_t index = std::min(at, last_index);  // the last message may overlap the one before
        LightKeyframes message{.index = static_cast<std::uint8_t>(index)};
        const std::size_t end = std::min(index + LightKeyframes::count, program.keyframes.size());
        std::copy(program.keyframes.begin() + static_cast<std::ptrdiff_t>(index),
                  program.keyframes.begin() + static_cast<std::ptrdiff_t>(end), message.keyframes.begin());
        messages.emplace_back(message);
    }
    messages.emplace_back(LightSequence{.start = program.start});
    return messages;
}

LedColors colors_at(const LightProgram& program, Duration since) {
    const std::int64_t frame = std::max(since, Duration::zero()) / light_frame;
    LedColors colors;
    for (std::size_t led = 0; led < led_count; ++led)
        colors[led] = color_at_frame(program, program.start[led], frame);
    return colors;
}

}  // namespace caribou::cubes
