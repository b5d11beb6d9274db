#include "platform/named_thread.hpp"

#include <pthread.h>

#include <system_error>

#include <fmt/format.h>

#include "base/check.hpp"
#include "platform/real_time_priority.hpp"
#include "platform/system_error.hpp"

namespace caribou {

NamedThread::NamedThread(Options options, Log& log) : options_(std::move(options)), log_(log) {
    check(options_.name.size() <= max_name, "a thread's name is short enough for the system");
}

Result<void> NamedThread::start() {
    check(!running(), "a thread is started once");
    try {
        thread_ = std::thread([this] { loop_.run(); });
    } catch (const std::system_error& error) {
        return fail(Code::unavailable,
                    fmt::format("no thread for {}: {}; are there too many?", options_.name, error.what()));
    }
    pthread_setname_np(thread_.native_handle(), options_.name.c_str());
    if (options_.real_time_priority) prefer_real_time();
    return {};
}

void NamedThread::prefer_real_time() {
    sched_param parameters{};
    parameters.sched_priority = *options_.real_time_priority;
    const int error = pthread_setschedparam(thread_.native_handle(), SCHED_FIFO, &parameters);
    if (error == 0) return;
    log_.warning(fmt::format(
        "{} runs without real-time priority {}: {}; set LimitRTPRIO={} in its unit, or grant CAP_SYS_NICE",
        options_.name, parameters.sched_priority, system_words(error), guard_priority));
}

void NamedThread::stop() {
    if (!running()) return;
    loop_.stop();
    thread_.join();
}

}  // namespace caribou
