#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "loop/time.hpp"

namespace caribou {

/// Notifications to systemd. No effect if the program was not started by systemd. Never waits for a
/// supervisor that does not receive: what it has not received is sent again with the next notification.
/// Thread-safe.
class SupervisorNotice {
public:
    /// Reports that the start is complete; units ordered after this one are started.
    void ready(std::string_view status);
    /// Sets the text shown by `systemctl status`.
    void status(std::string_view status);
    /// Resets systemd's watchdog.
    void alive();
    /// Reports that the program is shutting down.
    void stopping(std::string_view status);
    /// Returns the maximum interval between calls of alive(), or nullopt if systemd expects none.
    std::optional<Duration> watchdog() const;

private:
    void tell(const std::string& lines);

    std::mutex mutex_;
    std::string unsent_;  // guarded by mutex_
};

}  // namespace caribou
