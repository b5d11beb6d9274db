#pragma once

#include <chrono>
#include <string_view>

#include "base/log.hpp"

namespace caribou {

/// A log whose lines show a time: that of the call, or one that is passed in because the line has waited.
class StampedLog : public Log {
public:
    virtual void write_at(std::chrono::system_clock::time_point at, Level level, std::string_view text) = 0;
    void write(Level level, std::string_view text) override {
        write_at(std::chrono::system_clock::now(), level, text);
    }
};

}  // namespace caribou
