// The three iterate modes of an app, compared with a model that implements only their table and checks every
// instant at which something can happen.

#include <optional>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "bus/app_rig.hpp"

namespace caribou::bus {
namespace {

using namespace std::chrono_literals;
using Call = WitnessApp::Call;

struct Story {
    IterateMode mode;
    Duration period;             ///< 1/AppTick
    Duration spacing;            ///< 1/MaxAppTick, 0: no limit
    std::vector<Duration> mail;  ///< since the start, sorted, without duplicates
    std::vector<Duration> busy;  ///< durations of the calls of iterate, repeated cyclically
};

constexpr Duration length = 150ms;

/// Returns nullopt if mail arrives at the same instant as another event, so that the order is undefined.
std::optional<std::vector<Call>> model(const Story& story) {
    const bool regular = story.mode == IterateMode::regular_iterate_and_mail;
    const bool coupled = story.mode == IterateMode::comms_driven_iterate_and_mail;
    const Duration period = coupled ? std::max(story.period, story.spacing) : story.period;
    std::vector<Call> calls;
    std::uint64_t overruns = 0;
    std::size_t iterates = 0;
    std::size_t arrived = 0;
    std::size_t waiting = 0;
    Duration grid = 0ms;  // start of the current grid
    Duration busy_until = 0ms;
    Duration mail_from = 0ms;
    for (Duration t = 0ms; t <= length; t += t % 10us == 0us ? 1us : 9us) {
        const bool tick = t >= grid && (t - grid) % period == 0ms;
        for (; arrived < story.mail.size() && story.mail[arrived] <= t; ++arrived, ++waiting)
            if (tick || t == busy_until || t == mail_from) return std::nullopt;
        if (t < busy_until) {
            if (tick) ++overruns;
            continue;
        }
        const bool mail = waiting > 0 && (regular ? tick : t >= mail_from);
        const bool iterate = coupled ? mail || (tick && waiting == 0) : tick;
        if (mail) calls.push_back({t, std::exchange(waiting, 0), overruns});
        if (iterate) {
            calls.push_back({t, 0, overruns});
            busy_until = t + story.busy[iterates++ % story.busy.size()];
        }
        if (mail || (coupled && iterate)) mail_from = t + story.spacing;
        if (coupled && mail) grid = t + period;
    }
    return calls;
}

std::vector<Call> lived(const Story& story) {
    AppRig rig({.app_tick = 1 / to_seconds(story.period),
                .max_app_tick = story.spacing > 0ms ? 1 / to_seconds(story.spacing) : 0,
                .iterate_mode = static_cast<int>(story.mode)});
    std::size_t iterates = 0;
    rig.app.iterate_takes = [&] { return story.busy[iterates++ % story.busy.size()]; };
    check(rig.frame.start(rig.app).has_value(), "the app starts");
    rig.loop.run_until([&] { return !rig.connections.empty() && !rig.broker().heard().empty(); }, 1s);
    const Instant start = rig.loop.clock().now();
    std::vector<std::unique_ptr<Timer>> posts;
    for (const Duration at : story.mail) {
        posts.push_back(rig.loop.make_timer([&] { rig.broker().send(ClientRig::number("X", 1)); }));
        posts.back()->arm(start + at);
    }
    rig.broker().send(ClientRig::welcome());
    rig.loop.advance(length);
    for (Call& call : rig.app.calls) call.at -= start.time_since_epoch();
    return rig.app.calls;
}

Story arbitrary_story(IterateMode mode) {
    Story story{.mode = mode,
                .period = std::chrono::milliseconds(*rc::gen::inRange(1, 25)),
                .spacing = std::chrono::milliseconds(*rc::gen::inRange(0, 25)),
                .mail = {},
                .busy = {0ms}};
    const auto times = *rc::gen::unique<std::vector<int>>(rc::gen::inRange(1, 140));
    std::vector<int> sorted(times.begin(), times.end());
    std::ranges::sort(sorted);
    // Mail arrives at different fractions of a millisecond, and no iterate ends on the grid, so that
    // simultaneous events are rare.
    for (std::size_t i = 0; i < sorted.size() && i < 90; ++i)
        story.mail.push_back(std::chrono::milliseconds(sorted[i]) + (i + 1) * 10us + 1us);
    for (const int busy : *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 30)))
        story.busy.push_back(std::chrono::milliseconds(busy) + 370us);
    return story;
}

/// Returns the calls as text. A call that starts at the very end is left out, because it may or may not have
/// been made.
std::string told(const std::vector<Call>& calls) {
    std::string text;
    for (const Call& call : calls)
        if (call.at < length)
            text += fmt::format("{}us mail {} overruns {}\n", call.at / 1us, call.mail, call.overruns);
    return text;
}

void compare(IterateMode mode) {
    const Story story = arbitrary_story(mode);
    const auto expected = model(story);
    RC_PRE(expected.has_value());
    RC_ASSERT(told(lived(story)) == told(*expected));
}

RC_GTEST_PROP(IterateModes, RegularKeepsToItsTable, ()) { compare(IterateMode::regular_iterate_and_mail); }
RC_GTEST_PROP(IterateModes, CommsDrivenKeepsToItsTable, ()) {
    compare(IterateMode::comms_driven_iterate_and_mail);
}
RC_GTEST_PROP(IterateModes, RegularWithCommsDrivenMailKeepsToItsTable, ()) {
    compare(IterateMode::regular_iterate_and_comms_driven_mail);
}

}  // namespace
}  // namespace caribou::bus
