#include "adapters/body/order_trace_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <tuple>

#include <fmt/format.h>

#include "platform/system_clock.hpp"
#include "platform/system_error.hpp"

namespace caribou {

Result<void> OrderTraceFile::open(const std::string& path) {
    // Non-blocking: waits neither for a reader of a pipe nor for room in it.
    file_ = Descriptor(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK | O_CLOEXEC, 0600));
    if (!file_) return fail(system_error("cannot open " + path, errno));
    return {};
}

void OrderTraceFile::on_report(const motion::MotionReport& report) {
    next_.on_report(report);
    if (!file_ || report.driven == last_) return;
    last_ = report.driven;
    const auto now = SystemClock().now().time_since_epoch();
    const std::string line =
        fmt::format("{} {} {}\n", std::chrono::duration_cast<std::chrono::nanoseconds>(now).count(),
                    last_.right, last_.left);
    std::ignore = ::write(file_.get(), line.data(), line.size());
}

}  // namespace caribou
