#include "caribou/cubes_trial.hpp"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

#include "adapters/bluez/bluez_radio.hpp"
#include "cubes/no_radio.hpp"
#include "loop/duration_text.hpp"
#include "loop/virtual_loop.hpp"
#include "platform/event_loop.hpp"
#include "platform/local_token.hpp"
#include "platform/terminal.hpp"
#include "platform/text_file.hpp"

namespace caribou::app {
namespace {

using namespace std::chrono_literals;
using namespace cubes;

constexpr Duration look_each = 150ms;  // between two checks of the LEDs
constexpr Duration patience = 25s;     // for a cube, or for BlueZ

std::filesystem::path default_preference(const std::string& radio) {
    return state_folder_of_user() / ("preferred-cube-" + radio);
}

/// Returns colors on a terminal, otherwise numbers.
std::string leds_text(const LedColors& colors) {
    static const bool is_terminal = stdout_is_terminal();
    std::string text;
    for (const auto& [red, green, blue] : colors)
        text += is_terminal ? fmt::format("\x1b[38;2;{};{};{}m██\x1b[0m ", red, green, blue)
                            : fmt::format("#{:02x}{:02x}{:02x} ", red, green, blue);
    return text;
}

}  // namespace

Result<TimedCommand> parse_timed_command(std::string_view text) {
    const std::size_t colon = text.find(':');
    const auto when = duration_from(text.substr(0, colon));
    if (colon == std::string_view::npos || !when || colon + 1 == text.size())
        return fail(Code::invalid_argument,
                    fmt::format("`{}` is not a command at a time; expected one such as 12s:tap", text));
    return TimedCommand{*when, std::string(text.substr(colon + 1))};
}

Result<std::unique_ptr<CubesTrial>> CubesTrial::make(const CubesOptions& options) {
    std::unique_ptr<CubesTrial> trial(new CubesTrial);
    for (const std::string& doing : options.doings) {
        auto timed = parse_timed_command(doing);
        if (!timed) return fail(timed.error());
        trial->doings_.push_back(std::move(*timed));
    }
    std::ranges::stable_sort(trial->doings_, {}, &TimedCommand::when);
    trial->build(options);
    return trial;
}

CubesTrial::~CubesTrial() = default;

void CubesTrial::build(const CubesOptions& options) {
    EventLoop* real_loop = nullptr;
    if (options.real_time || options.radio == "bluez") {
        auto loop = std::make_unique<EventLoop>();
        real_loop = loop.get();
        advance_ = [&loop = *loop](Duration time) { loop.run_until([] { return false; }, time); };
        loop_ = std::move(loop);
    } else {
        auto loop = std::make_unique<VirtualLoop>();
        advance_ = [&loop = *loop](Duration time) { loop.advance(time); };
        loop_ = std::move(loop);
    }
    start_ = loop_->clock().now();
    log_ = std::make_unique<ConsoleLog>(Level::warning);
    if (options.radio == "simulated") {
        auto radio = std::make_unique<SimulatedRadio>(*loop_);
        SimulatedCube& near = radio->add_cube({.address = {0xc0be'0000'0001}, .distance = 1});
        radio->add_cube({.address = {0xc0be'0000'0002}, .distance = 4});
        world_ = std::make_unique<SimulatedWorld>(*loop_, *radio, near);
        radio_ = std::move(radio);
    } else if (options.radio == "bluez") {
        auto radio = std::make_unique<BluezRadio>(*real_loop, *log_);
        real_loop->run_until([&radio] { return radio->is_known(); }, patience);
        radio_ = std::move(radio);
    } else {
        radio_ = std::make_unique<NoRadio>();
    }
    preferences_ = std::make_unique<CubePreferenceFile>(options.preference.empty()
                                                            ? default_preference(options.radio)
                                                            : std::filesystem::path(options.preference));
    cubes_ = std::make_unique<CubeSystem>(*loop_, *radio_, *preferences_, *log_);
    cubes_->set_on_event([this](const CubeEvent& event) { say("the cube: " + describe(event)); });
    console_ = std::make_unique<CubeConsole>(
        *cubes_, [](const std::string& path) { return read_text_file(path); },
        [this](const std::string& line) { say(line); });
}

Result<std::string> CubesTrial::silent_command(const std::string& line) {
    return world_ && SimulatedWorld::knows(line) ? world_->run(line) : console_->run(line);
}

Result<void> CubesTrial::command(const std::string& line) {
    const auto answer = silent_command(line);
    if (!answer) return fail(answer.error());
    std::string_view rest = *answer;
    for (; !rest.empty(); rest.remove_prefix(std::min(rest.find('\n'), rest.size() - 1) + 1))
        say(std::string(rest.substr(0, rest.find('\n'))));
    return {};
}

Result<void> CubesTrial::run(Duration time) {
    for (const Instant end = loop_->clock().now() + time;;) {
        if (auto done = do_what_is_due(); !done) return done;
        const Instant now = loop_->clock().now();
        if (now >= end) return {};
        Duration next = std::min(look_each, end - now);
        if (!doings_.empty()) next = std::min(next, start_ + doings_.front().when - now);
        step(next);
    }
}

Result<void> CubesTrial::run_until_connected() {
    for (const Instant end = loop_->clock().now() + patience; !cubes_->coordinator.connection();) {
        const auto& history = cubes_->coordinator.history();
        const bool has_failed = !history.empty() && history.back().to == CoordinatorState::unconnected;
        if (has_failed || loop_->clock().now() >= end)
            return fail(Code::unreachable, history.empty() ? "no cube is connected" : history.back().why);
        if (auto done = run(look_each); !done) return done;
    }
    return {};
}

Result<void> CubesTrial::do_what_is_due() {
    while (!doings_.empty() && start_ + doings_.front().when <= loop_->clock().now()) {
        const TimedCommand next = doings_.front();
        doings_.erase(doings_.begin());
        if (auto done = command(next.command); !done) return done;
    }
    return {};
}

void CubesTrial::step(Duration time) {
    advance_(std::max(time, Duration(1ns)));
    say_transitions();
    if (shows_leds_) say_leds();
}

void CubesTrial::say(const std::string& text) {
    say_transitions();
    say_at(loop_->clock().now(), text);
}

void CubesTrial::say_at(Instant when, const std::string& text) const {
    if (!is_silent_) fmt::print("{:>9.3f} s  {}\n", to_seconds(when - start_), text);
}

void CubesTrial::say_transitions() {
    const auto& history = cubes_->coordinator.history();
    const auto fresh =
        std::min<std::uint64_t>(cubes_->coordinator.transitions() - said_transitions_, history.size());
    said_transitions_ = cubes_->coordinator.transitions();
    for (std::size_t i = history.size() - fresh; i < history.size(); ++i)
        say_at(history[i].when, fmt::format("{} -> {}: {}", to_string(history[i].from),
                                            to_string(history[i].to), history[i].why));
}

void CubesTrial::say_leds() {
    const LedColors colors = cubes_->lights.colors();
    if (said_leds_ == colors) return;
    said_leds_ = colors;
    const auto layer = cubes_->lights.showing();
    say(leds_text(colors) + (layer ? std::string(to_string(*layer)) : "dark"));
}

}  // namespace caribou::app
