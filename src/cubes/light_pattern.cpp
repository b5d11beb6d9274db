#include "cubes/light_pattern.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/limits.hpp"
#include "loop/duration_text.hpp"

namespace caribou::cubes {
namespace {

using namespace std::chrono_literals;

constexpr std::int64_t max_frames = 255;  // maximum of a keyframe's hold, and of its decay

std::int64_t frames(Duration time) { return (time + light_frame / 2) / light_frame; }

/// Collects the keyframes of all LEDs.
class Compiler {
public:
    /// Returns the number of keyframes required. Those beyond the capacity of a cube are counted but not
    /// stored.
    std::size_t size() const { return size_; }

    /// Returns the index of the LED's first keyframe.
    std::size_t add(const LedPattern& led, Duration delay) {
        const std::size_t round = round_of(led);
        const std::int64_t wait = frames(delay);
        if (wait == 0) return round;
        const std::size_t begin = keyframes_.size();
        hold(led.off_color, wait, 0);
        lead_on_to(round);
        return begin;
    }

    LightProgram take() const {
        LightProgram program;
        for (const Wide& wide : keyframes_) {
            program.keyframes.push_back(wide.keyframe);
            program.keyframes.back().next = static_cast<std::uint8_t>(wide.next);
        }
        return program;
    }

private:
    struct Wide {
        Keyframe keyframe;
        std::size_t next;
    };

    /// Returns the start of a LED's round without its delay. LEDs that differ only in the delay share a
    /// round.
    std::size_t round_of(const LedPattern& led) {
        for (std::size_t i = 0; i < rounds_.size(); ++i)
            if (without_offset(rounds_[i].led) == without_offset(led)) return rounds_[i].begin;
        const std::size_t begin = keyframes_.size();
        rounds_.push_back({led, begin});
        hold(led.on_color, frames(led.on_time), frames(led.transition_off));
        if (led.play_once) {
            push(frame_of(led.off_color));
            lead_on_to(keyframes_.size() - 1);
            return begin;
        }
        hold(led.off_color, frames(led.off_time), frames(led.transition_on));
        if (keyframes_.size() == begin) push(frame_of(led.on_color));  // all times are 0: it is always on
        lead_on_to(begin);
        return begin;
    }

    static LedPattern without_offset(LedPattern led) {
        led.offset = 0ns;
        return led;
    }

    static Keyframe frame_of(Color color) {
        return {.red = color.red, .green = color.green, .blue = color.blue};
    }

    /// Appends as many keyframes as the hold needs; the last one decays. Appends none if both are 0: the cube
    /// would stop there forever.
    void hold(Color color, std::int64_t hold, std::int64_t decay) {
        while (hold + decay > 0) {
            const std::int64_t held = std::min(hold, max_frames);
            hold -= held;
            Keyframe keyframe = frame_of(color);
            keyframe.hold = static_cast<std::uint8_t>(held);
            if (hold == 0) keyframe.decay = static_cast<std::uint8_t>(std::exchange(decay, 0));
            push(keyframe);
        }
    }

    void push(const Keyframe& keyframe) {
        if (++size_ <= keyframe_slots) keyframes_.push_back({keyframe, keyframes_.size() + 1});
    }

    void lead_on_to(std::size_t index) {
        if (!keyframes_.empty()) keyframes_.back().next = index;
    }

    struct Round {
        LedPattern led;
        std::size_t begin;
    };
    std::vector<Wide> keyframes_;
    std::size_t size_ = 0;
    std::vector<Round> rounds_;
};

Duration round_time(const LedPattern& led) {
    return led.on_time + led.transition_off + led.off_time + led.transition_on;
}

LightPattern for_all(const LedPattern& led, Rotation rotation, std::optional<Duration> duration) {
    LightPattern pattern{.rotation = rotation, .duration = duration};
    pattern.leds.fill(led);
    return pattern;
}

constexpr Color cyan{0, 255, 255};
constexpr Color dim_green{0, 40, 0};
constexpr Color dim_orange{60, 20, 0};

}  // namespace

Result<LightProgram> compile(const LightPattern& pattern) {
    Compiler compiler;
    std::array<std::size_t, led_count> start{};
    for (std::size_t i = 0; i < led_count; ++i) {
        const LedPattern& led = pattern.leds[i];
        if (std::max(led.transition_on, led.transition_off) > max_transition)
            return fail(Code::limit_exceeded,
                        fmt::format("a transition takes at most {}", duration_text(max_transition)));
        if (std::max({led.on_time, led.off_time, led.offset}) > max_light_time)
            return fail(Code::limit_exceeded,
                        fmt::format("a LED stays as it is for at most {}", duration_text(max_light_time)));
        std::size_t turn = 0;
        if (pattern.rotation == Rotation::clockwise) turn = i;
        if (pattern.rotation == Rotation::counterclockwise) turn = (led_count - i) % led_count;
        start[i] = compiler.add(
            led, led.offset + round_time(led) * static_cast<int>(turn) / static_cast<int>(led_count));
    }
    if (compiler.size() > keyframe_slots)
        return fail(Code::limit_exceeded,
                    limit_reached("keyframe_slots", compiler.size(), keyframe_slots, "keyframes") +
                        "; shorten its times");
    LightProgram program = compiler.take();
    std::ranges::transform(start, program.start.begin(),
                           [](std::size_t index) { return static_cast<std::uint8_t>(index); });
    return program;
}

LightPattern steady(Color color) { return for_all({.on_color = color}, Rotation::none, {}); }

const LightPattern& connection_light_pattern() {
    static const LightPattern pattern = for_all({.on_color = cyan,
                                                 .on_time = 120ms,
                                                 .off_time = 240ms,
                                                 .transition_on = 120ms,
                                                 .transition_off = 480ms},
                                                Rotation::clockwise, 5s);
    return pattern;
}

const LightPattern& disconnect_light_pattern() {
    static const LightPattern pattern =
        for_all({.on_color = cyan, .on_time = 990ms, .transition_off = 3990ms, .play_once = true},
                Rotation::none, 5s);
    return pattern;
}

const LightPattern& localized_light_pattern() {
    static const LightPattern pattern = steady(dim_green);
    return pattern;
}

const LightPattern& not_localized_light_pattern() {
    static const LightPattern pattern = for_all({.on_color = dim_orange,
                                                 .on_time = 300ms,
                                                 .off_time = 900ms,
                                                 .transition_on = 600ms,
                                                 .transition_off = 600ms},
                                                Rotation::none, {});
    return pattern;
}

}  // namespace caribou::cubes
