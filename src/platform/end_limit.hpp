#pragma once

#include <memory>

#include "base/log.hpp"
#include "platform/named_thread.hpp"

namespace caribou {

/// Ends the process with `code` if it is not destroyed within `limit`, without waiting for threads that
/// hang. For a program that shuts down: other threads may be stuck in a call of a device.
class EndLimit {
public:
    EndLimit(Duration limit, int code, Log& log);
    ~EndLimit() { thread_.stop(); }
    EndLimit(const EndLimit&) = delete;
    EndLimit& operator=(const EndLimit&) = delete;

private:
    NamedThread thread_;
    std::unique_ptr<Timer> timer_;
};

}  // namespace caribou
