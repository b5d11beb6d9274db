#include "trials.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace caribou::bench {

namespace {

double milliseconds(Duration time) { return to_seconds(time) * 1000; }

}  // namespace

void Trials::add(std::optional<Duration> time, const std::function<std::string()>& why) {
    const bool good = time && *time <= promise_.limit;
    if (!time)
        report_.progress(fmt::format("{} {}: {}", promise_.name, tried_, why()));
    else if (!good)
        report_.progress(
            fmt::format("{} {}: {:.1f} ms\n{}", promise_.name, tried_, milliseconds(*time), why()));
    tried_ += 1;
    good_ += good ? 1 : 0;
    missing_ += time ? 0 : 1;
    if (time) worst_ = std::max(worst_, *time);
    if (tried_ % std::clamp(count_ / 10, 1, 100) == 0)
        report_.progress(fmt::format("{}: {} of {}, {} in time, worst {:.1f} ms", promise_.name, tried_,
                                     count_, good_, milliseconds(worst_)));
}

void Trials::finish(bool valid) const {
    const std::string of = fmt::format("of {}", count_);
    report_.add({promise_.name + "_ok", static_cast<double>(valid ? good_ : 0), of});
    if (missing_ > 0) report_.add({promise_.name + "_missing", static_cast<double>(missing_), of});
    report_.add({promise_.worst, milliseconds(worst_), "ms"});
}

}  // namespace caribou::bench
