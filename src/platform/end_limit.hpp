#pragma once

#include <memory>

#include "base/log.hpp"
#include "platform/named_thread.hpp"

namespace caribou {

/// Ends the process with `code` if this object is not destroyed within `limit`, without waiting for other
/// threads, which may hang in a device call during shutdown.
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
