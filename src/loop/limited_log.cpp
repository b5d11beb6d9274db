#include "loop/limited_log.hpp"

#include <utility>

#include <fmt/format.h>

#include "base/fields.hpp"

namespace caribou {

void LimitedLog::write(Level level, std::string_view text) {
    tick();
    if (lines_ >= limit_) {
        ++dropped_;
        return;
    }
    ++lines_;
    log_.write(level, clipped(text, max_text));
}

void LimitedLog::tick() {
    const Instant now = clock_.now();
    if (now - second_ < std::chrono::seconds(1)) return;
    second_ = now;
    lines_ = 0;
    if (const std::size_t dropped = std::exchange(dropped_, 0); dropped > 0)
        log_.warning(
            fmt::format("{}: {} lines were dropped; more than {} per second", source_, dropped, limit_));
}

}  // namespace caribou
