#pragma once

#include <functional>
#include <memory>

#include "base/log.hpp"
#include "platform/named_thread.hpp"

namespace caribou {

/// Ends the process if this object is not destroyed within `limit`, without waiting for other threads, which
/// may hang in a device call during shutdown.
class EndLimit {
public:
    /// `end` is called on the thread of this object, and must not return.
    EndLimit(Duration limit, std::function<void()> end, Log& log);
    ~EndLimit() { thread_.stop(); }
    EndLimit(const EndLimit&) = delete;
    EndLimit& operator=(const EndLimit&) = delete;

private:
    NamedThread thread_;
    std::unique_ptr<Timer> timer_;
};

}  // namespace caribou
