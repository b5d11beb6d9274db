#include "platform/end_limit.hpp"

#include <utility>

#include <fmt/format.h>

namespace caribou {

EndLimit::EndLimit(Duration limit, std::function<void()> end, Log& log)
    : thread_({.name = "end_limit"}, log),
      timer_(thread_.loop().make_timer([limit, end = std::move(end), &log] {
          log.error(fmt::format("threads still hang after {:.1f} s: the process ends without them",
                                to_seconds(limit)));
          end();
      })) {
    timer_->arm(thread_.loop().clock().now() + limit);
    if (const auto started = thread_.start(); !started) log.error(started.error().message);
}

}  // namespace caribou
