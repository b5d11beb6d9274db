#include "cubes/light_reader.hpp"

#include <algorithm>
#include <charconv>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "base/json_node.hpp"
#include "base/suggestion.hpp"
#include "loop/duration_text.hpp"

namespace caribou::cubes {
namespace {

using Kind = JsonNode::Kind;

constexpr std::pair<std::string_view, Color> named_colors[] = {
    {"black", {0, 0, 0}},     {"white", {255, 255, 255}}, {"red", {255, 0, 0}},    {"green", {0, 255, 0}},
    {"blue", {0, 0, 255}},    {"yellow", {255, 255, 0}},  {"cyan", {0, 255, 255}}, {"magenta", {255, 0, 255}},
    {"orange", {255, 96, 0}}, {"purple", {128, 0, 255}},
};
constexpr std::pair<std::string_view, Rotation> rotations[] = {
    {"none", Rotation::none},
    {"clockwise", Rotation::clockwise},
    {"counterclockwise", Rotation::counterclockwise},
};

template <class Value>
std::vector<std::string> names_of(std::span<const std::pair<std::string_view, Value>> named) {
    std::vector<std::string> names;
    for (const auto& [name, value] : named) names.emplace_back(name);
    return names;
}

template <class Value>
const Value* find_named(std::span<const std::pair<std::string_view, Value>> named, std::string_view name) {
    for (const auto& [word, value] : named)
        if (word == name) return &value;
    return nullptr;
}

class LightReader {
public:
    explicit LightReader(const NamedText& file) : file_(file), faults_({&file, 1}, max_faults) {}

    std::expected<LightPattern, std::vector<TextFault>> read() {
        constexpr JsonLimits limits{.bytes = 64_KiB, .depth = 16, .values = 1000};
        const auto root = read_json(file_.text, limits);
        if (!root)
            faults_.add({0, root.error().offset}, root.error().message);
        else
            read_pattern(*root);
        if (faults_.empty()) check_compiles(*root);
        if (!faults_.empty()) return std::unexpected(faults_.take());
        return pattern_;
    }

private:
    static constexpr std::size_t max_faults = 20;

    void fault(const JsonNode& node, std::string message) {
        faults_.add({0, node.offset}, std::move(message));
    }

    void read_pattern(const JsonNode& root) {
        if (!is_object(root, "a file of lights", {"leds", "rotation", "duration", "note"})) return;
        if (const JsonNode* node = root.find("duration")) pattern_.duration = duration(*node);
        if (const JsonNode* node = root.find("rotation")) read_rotation(*node);
        const JsonNode* leds = root.find("leds");
        if (!leds) return fault(root, "`leds` is missing: an object for all LEDs, or a list of four");
        if (!leds->is(Kind::list)) return pattern_.leds.fill(led(*leds));
        if (leds->items.size() != led_count)
            return fault(*leds, fmt::format("a cube has {} LEDs, not {}", led_count, leds->items.size()));
        std::ranges::transform(leds->items, pattern_.leds.begin(),
                               [this](const JsonNode& node) { return led(node); });
    }

    LedPattern led(const JsonNode& node) {
        LedPattern led;
        if (!is_object(node, "a LED",
                       {"on_color", "off_color", "on_time", "off_time", "transition_on", "transition_off",
                        "offset", "play_once", "note"}))
            return led;
        for (const auto& [key, into] : {std::pair{"on_color", &led.on_color}, {"off_color", &led.off_color}})
            if (const JsonNode* value = node.find(key)) *into = color(*value);
        for (const auto& [key, into] : {std::pair{"on_time", &led.on_time},
                                        {"off_time", &led.off_time},
                                        {"transition_on", &led.transition_on},
                                        {"transition_off", &led.transition_off},
                                        {"offset", &led.offset}})
            if (const JsonNode* value = node.find(key)) *into = duration(*value);
        for (const char* key : {"transition_on", "transition_off"})
            if (const JsonNode* value = node.find(key); value && duration_of(*value) > max_transition)
                fault(*value, fmt::format("`{}` takes at most {}", key, duration_text(max_transition)));
        if (const JsonNode* value = node.find("play_once")) {
            if (!value->is(Kind::truth)) mismatch(*value, "true or false");
            led.play_once = value->truth;
        }
        if (!node.find("on_color")) fault(node, "`on_color` is missing");
        return led;
    }

    bool is_object(const JsonNode& node, std::string_view owner, const std::vector<std::string>& keys) {
        if (!node.is(Kind::object)) {
            fault(node, fmt::format("{} is an object, not {}", owner, name_of(node.kind)));
            return false;
        }
        for (const JsonNode& value : node.items) {
            if (std::ranges::find(keys, value.key) == keys.end())
                faults_.add({0, value.key_offset},
                            fmt::format("{} has no `{}`{}", owner, value.key, instead_of(value.key, keys)));
            else if (node.find(value.key) != &value)
                faults_.add({0, value.key_offset}, fmt::format("`{}` is set twice", value.key));
        }
        return true;
    }

    void mismatch(const JsonNode& node, std::string_view wanted) {
        fault(node, fmt::format("`{}` is {}, not {}", node.key, wanted, name_of(node.kind)));
    }

    static Duration duration_of(const JsonNode& node) {
        return duration_from(node.text).value_or(Duration::zero());
    }

    Duration duration(const JsonNode& node) {
        if (!node.is(Kind::text))
            mismatch(node, "a time such as \"500ms\"");
        else if (!duration_from(node.text))
            fault(node, fmt::format("`{}` is a time such as \"500ms\" or \"1.5s\", not \"{}\"", node.key,
                                    node.text));
        return duration_of(node);
    }

    Color color(const JsonNode& node) {
        if (!node.is(Kind::text)) {
            mismatch(node, "a colour such as \"#00ff80\"");
            return {};
        }
        const auto parsed = parse_color(node.text);
        if (!parsed) fault(node, parsed.error().message);
        return parsed.value_or(Color{});
    }

    void read_rotation(const JsonNode& node) {
        if (!node.is(Kind::text)) return mismatch(node, "one of `none`, `clockwise` and `counterclockwise`");
        const Rotation* rotation = find_named<Rotation>(rotations, node.text);
        if (!rotation)
            return fault(node, fmt::format("no rotation is called `{}`{}", node.text,
                                           instead_of(node.text, names_of<Rotation>(rotations))));
        pattern_.rotation = *rotation;
    }

    void check_compiles(const JsonNode& root) {
        if (const auto program = compile(pattern_); !program) fault(root, program.error().message);
    }

    const NamedText& file_;
    FaultList faults_;
    LightPattern pattern_;
};

}  // namespace

std::expected<LightPattern, std::vector<TextFault>> read_lights(const NamedText& file) {
    return LightReader(file).read();
}

Result<Color> parse_color(std::string_view text) {
    if (const Color* named = find_named<Color>(named_colors, text)) return *named;
    if (text.starts_with('#')) {
        unsigned bits = 0;
        const char* const end = text.data() + text.size();
        const auto [at, error] = std::from_chars(text.data() + 1, end, bits, 16);
        if (text.size() == 7 && error == std::errc{} && at == end)
            return Color{static_cast<std::uint8_t>(bits >> 16), static_cast<std::uint8_t>(bits >> 8),
                         static_cast<std::uint8_t>(bits)};
        return fail(Code::invalid_argument,
                    fmt::format("`{}` is not a color; expected one such as #00ff80", text));
    }
    const auto names = names_of<Color>(named_colors);
    std::string instead = instead_of(text, names);
    if (instead.empty()) instead = "; one is written #00ff80, or " + listed(names, "or");
    return fail(Code::invalid_argument, fmt::format("no colour is called `{}`{}", text, instead));
}

std::string to_string(Color color) {
    return fmt::format("#{:02x}{:02x}{:02x}", color.red, color.green, color.blue);
}

}  // namespace caribou::cubes
