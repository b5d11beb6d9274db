#include "platform/end_limit.hpp"

#include <cstdlib>

#include <fmt/format.h>

namespace caribou {

EndLimit::EndLimit(Duration limit, int code, Log& log)
    : thread_({.name = "end_limit"}, log), timer_(thread_.loop().make_timer([limit, code, &log] {
          log.error(fmt::format("threads still hang after {:.1f} s: the process ends without them",
                                to_seconds(limit)));
          std::_Exit(code);
      })) {
    timer_->arm(thread_.loop().clock().now() + limit);
    if (const auto started = thread_.start(); !started) log.error(started.error().message);
}

}  // namespace caribou
