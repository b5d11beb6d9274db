#pragma once

#include <optional>
#include <string_view>

#include "loop/time.hpp"

namespace caribou {

/// What a program under systemd tells it. Without one, nothing happens.
class SupervisorNotice {
public:
    void ready(std::string_view status);
    void status(std::string_view status);
    void alive();
    void stopping(std::string_view status);
    /// How often alive() is expected at least. None: it is not.
    std::optional<Duration> watchdog() const;
};

}  // namespace caribou
