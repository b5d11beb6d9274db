#include "robot/release_button.hpp"

#include <algorithm>

namespace caribou::robot {
namespace {

/// A button may be held for longer than a release may wait on its way: that is no delay.
constexpr Duration longest_stated_age = link::max_start_age / 2;

}  // namespace

void ReleaseButton::press(Instant pressed) {
    const double now = clock_.boot_seconds();
    const Duration age = clock_.now() - pressed;
    if (buffers_.stops.copy().at > now - to_seconds(age))
        return log_.warning(
            "release by its button: a full stop took effect while it was pressed; press it again");
    // A stop since the look above is later than `given`, too.
    submit_({.peer = {.name = "button", .role = link::Role::drive, .session = session_, .needs_lease = false},
             .command = {.id = {++presses_}, .code = link::CommandCode::release_stop},
             .reply =
                 [&log = log_](const link::Answer& answer) {
                     if (answer.refusal) log.warning("release by its button: " + to_string(answer));
                 },
             .given = now - to_seconds(std::min(age, longest_stated_age))});
}

}  // namespace caribou::robot
