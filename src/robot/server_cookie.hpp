#pragma once

#include <string>

#include "base/result.hpp"

namespace caribou::robot {

/// The persistent record of the station that a robot belongs to. Thread-safe.
class ServerCookie {
public:
    virtual ~ServerCookie() = default;
    /// Returns the name of the station's key; empty if it belongs to none.
    virtual std::string station() = 0;
    /// Stores the name; it must be on the disk when this returns.
    virtual Result<void> keep(const std::string& station) = 0;
    virtual Result<void> drop() { return keep(""); }
};

/// A record in memory.
class MemoryServerCookie final : public ServerCookie {
public:
    std::string station() override { return kept; }
    Result<void> keep(const std::string& station) override {
        kept = station;
        return {};
    }

    std::string kept;
};

}  // namespace caribou::robot
